import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, OLGA, RITA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD, QUARRY, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { findUsableViewer } from '../sign-in/find-viewer.ts'
import { isActive, maySee, type PeopleContext } from './visibility.ts'

// The tests only read: the world is made once.
const { context } = await startWorld({ seedOnce: true })
const { db } = context

async function as(person: TestPerson, projects?: readonly number[]): Promise<Viewer> {
  const viewer = await findUsableViewer(context, person.id)
  if (!viewer) throw new Error('They cannot sign in.')
  return projects ? { ...viewer, credential: { kind: 'access_key', id: '1', projects: [...projects] } } : viewer
}

function withDirectory(anonymous_directory: boolean): PeopleContext {
  const { settings, sharesProject } = context
  return { sharesProject, settings: { ...settings, current: { ...settings.current, anonymous_directory } } }
}

async function listSeen(viewer: Viewer, people: PeopleContext = context): Promise<string[]> {
  const { rows } = await sql<{ login: string }>`
    select account.login from account where ${maySee(people, viewer)} order by account.login`.execute(db)
  return rows.map(({ login }) => login)
}

// Sam is suspended, and Pia has not registered yet.
const ACTIVE = ['ada', 'gus', 'mara', 'olga', 'rita', 'tom', 'uma', 'victor']
const ACCOUNTS = [...ACTIVE, 'sam'].toSorted()
const ALL = [...ACCOUNTS, 'pia'].toSorted()

describe('users are seen', () => {
  test.each([
    { who: 'a site administrator', viewer: as(ADA), sees: ALL },
    { who: 'a signed-in person without projects', viewer: as(OLGA), sees: ACCOUNTS },
    { who: 'a restricted member of Quarry', viewer: as(RITA), sees: ['rita', 'victor'] },
    { who: 'Tom by a key for Orchard', viewer: as(TOM, [ORCHARD]), sees: ['mara', 'sam', 'tom', 'uma'] },
    { who: 'Tom by a key for Vault', viewer: as(TOM, [VAULT]), sees: ['tom'] },
    { who: 'Rita by a key for Quarry', viewer: as(RITA, [QUARRY]), sees: ['rita', 'victor'] },
  ])('by $who', async ({ viewer, sees }) => {
    expect(await listSeen(await viewer)).toEqual(sees)
  })

  test.each([
    { isOpen: true, sees: ACTIVE },
    { isOpen: false, sees: [] },
  ])('anonymously with anonymous_directory $isOpen', async ({ isOpen, sees }) => {
    expect(await listSeen(ANONYMOUS_VIEWER, withDirectory(isOpen))).toEqual(sees)
  })
})

test('an account that is suspended or not registered is not active', async () => {
  const { rows } = await sql<{ login: string }>`
    select account.login from account where ${isActive} order by account.login`.execute(db)
  expect(rows.map(({ login }) => login)).toEqual(ACTIVE)
})
