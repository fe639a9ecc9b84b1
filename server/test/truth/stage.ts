import type { Db } from '../../src/platform/database/db.ts'
import type { Client } from '../client.ts'
import { ADA, GUS, MARA, OLGA, PEOPLE, type Person, TOM, UMA } from '../people.ts'
import { LEADS, ORCHARD } from '../places.ts'
import type { Group, Viewer } from './model.ts'
import type { Place } from './world.ts'

function viewer({ id, login, is_site_admin }: Person, zone: string, ...groups: Group[]): Viewer {
  const administers = is_site_admin || groups.includes('@admins')
  return {
    name: login,
    id,
    login,
    zone,
    groups: ['@anonymous', '@registered', ...groups],
    administers,
    isSiteAdmin: is_site_admin,
  }
}

const nobody: Viewer = {
  name: 'anonymous',
  groups: ['@anonymous'],
  administers: false,
  isSiteAdmin: false,
  zone: 'UTC',
}
const olga = viewer(OLGA, 'UTC')
const tom = viewer(TOM, 'Europe/Vienna', '@members')
const gus = viewer(GUS, 'America/New_York', 'leads')
const mara = viewer(MARA, 'UTC', '@members', '@admins')

/** Those who ask: nobody in particular, somebody from outside, a member, one of a group only, and who administers it. */
export const VIEWERS: readonly Viewer[] = [nobody, olga, tom, gus, mara]

/** Where the world of the oracle is made: Orchard, with its people. There is no route yet that makes link types. */
export async function setStage(client: Client, db: Db, setClock: (at: number) => void): Promise<Place> {
  await db
    .insertInto('link_type')
    .values([{ shortname: 'blocks', forward_label: 'blocks', reverse_label: 'is blocked by', is_system: false }])
    .execute()
  const people = new Map(PEOPLE.map((person) => [person.login, person]))
  return {
    api: {
      send: (method, path, { as, body, type }) => {
        const person = as === undefined ? undefined : people.get(as)
        return client.request(method, path, {
          ...(person && { as: person }),
          ...(body !== undefined && { body }),
          ...(type !== undefined && { headers: { 'content-type': type } }),
        })
      },
    },
    project: ORCHARD,
    leads: LEADS,
    people: [viewer(ADA, 'UTC'), mara, tom, viewer(UMA, 'UTC', '@members', 'leads'), gus, olga],
    linkTypes: ['_is_child', 'blocks'],
    setClock,
  }
}
