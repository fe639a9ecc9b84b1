import type { Db } from '../../../src/platform/database/db.ts'
import type { TestClient } from '../../harness/client.ts'
import { ADA, GUS, MARA, OLGA, ALL_PEOPLE, type TestPerson, TOM, UMA } from '../../fixtures/people.ts'
import { LEADS, ORCHARD } from '../../fixtures/seed-ids.ts'
import type { OracleGroup, OracleViewer } from './model.ts'
import type { OracleProject } from './world.ts'

function viewer({ id, login, is_site_admin }: TestPerson, zone: string, ...groups: OracleGroup[]): OracleViewer {
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

const nobody: OracleViewer = {
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

/** The viewers: anonymous, an outsider, a member, a member of a group only, and the administrator. */
export const VIEWERS: readonly OracleViewer[] = [nobody, olga, tom, gus, mara]

/** The project of the oracle's world: Orchard, with its people. There is no route yet that creates link types. */
export async function prepareOracleProject(
  client: TestClient,
  db: Db,
  setClock: (at: number) => void,
): Promise<OracleProject> {
  await db
    .insertInto('link_type')
    .values([{ shortname: 'blocks', forward_label: 'blocks', reverse_label: 'is blocked by', is_system: false }])
    .execute()
  const people = new Map(ALL_PEOPLE.map((person) => [person.login, person]))
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
