import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, OLGA, type TestPerson, RITA, VICTOR } from '../../test/fixtures/people.ts'
import { ORCHARD, QUARRY, VAULT } from '../../test/fixtures/seed-ids.ts'
import { findUsableViewer } from '../accounts/sign-in/find-viewer.ts'
import { ANONYMOUS_VIEWER } from '../platform/http/request-state.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { isMemberOf, mayEnter } from './visibility.ts'

const { context } = await startWorld()
const { db } = context

async function as({ id }: TestPerson, more: Partial<Viewer> = {}): Promise<Viewer> {
  const viewer = await findUsableViewer(context, id)
  if (!viewer) throw new Error('They cannot sign in.')
  return { ...viewer, ...more }
}

const byKey = (...projects: number[]): Partial<Viewer> => ({ credential: { kind: 'access_key', id: '1', projects } })

async function look(viewer: Viewer, project = QUARRY): Promise<{ enters: boolean; is_member: boolean }> {
  const { rows } = await sql<{ enters: boolean; is_member: boolean }>`
    select ${mayEnter(viewer, aliases('project'))} as enters, ${isMemberOf(viewer, aliases('project'))} as is_member from project where id = ${project}`.execute(
    db,
  )
  if (!rows[0]) throw new Error('There is no such project.')
  return rows[0]
}

/** Accounts that may enter Quarry. Its members are Rita, a restricted account, and Victor. */
async function visitors(): Promise<string[]> {
  const viewers = {
    anonymous: ANONYMOUS_VIEWER,
    olga: await as(OLGA),
    'restricted stranger': await as(OLGA, { is_restricted: true }),
    rita: await as(RITA),
    victor: await as(VICTOR),
    'victor by a key for Quarry': await as(VICTOR, byKey(VAULT, QUARRY)),
    'victor by a key for Vault': await as(VICTOR, byKey(VAULT)),
    ada: await as(ADA),
  }
  const entered: string[] = []
  for (const [name, viewer] of Object.entries(viewers)) if ((await look(viewer)).enters) entered.push(name)
  return entered
}

const VICTORS = ['victor', 'victor by a key for Quarry']

describe('a project', () => {
  test.each([
    { access: 'public', expected: ['anonymous', 'olga', 'rita', ...VICTORS, 'ada'] },
    { access: 'unrestricted', expected: ['anonymous', 'olga', 'restricted stranger', 'rita', ...VICTORS, 'ada'] },
    { access: 'private', expected: ['rita', ...VICTORS, 'ada'] },
    { access: 'private-wo-restr', expected: [...VICTORS, 'ada'] },
  ])('that is $access is entered by $expected', async ({ access, expected }) => {
    await sql`update project set access = ${access} where id = ${QUARRY}`.execute(db)
    expect(await visitors()).toEqual(expected)
  })

  test.each(['public', 'private', 'unrestricted'])(
    'that is suspended and %s is entered by site administrators',
    async (access) => {
      await sql`update project set access = ${access}, status = 'suspended' where id = ${QUARRY}`.execute(db)
      expect(await visitors()).toEqual(['ada'])
    },
  )
})

test('a member is one of the project itself, and by a key only of those that it is for', async () => {
  const isMember = async (viewer: Viewer, project = QUARRY) => (await look(viewer, project)).is_member
  expect(await isMember(await as(VICTOR))).toBe(true)
  expect(await isMember(await as(VICTOR), ORCHARD)).toBe(false)
  expect(await isMember(await as(VICTOR, byKey(QUARRY)))).toBe(true)
  expect(await isMember(await as(VICTOR, byKey(VAULT)))).toBe(false)
  expect(await isMember(await as(OLGA))).toBe(false)
  expect(await isMember(await as(ADA))).toBe(false)
  expect(await isMember(ANONYMOUS_VIEWER)).toBe(false)
})
