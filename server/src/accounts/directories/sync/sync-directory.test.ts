import { sql } from 'kysely'
import { Attribute, Change } from 'ldapts'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  DIRECTORY_PASSWORD,
  groupDn,
  groupLdif,
  personDn,
  personLdif,
} from '../../../../test/fixtures/directory-people.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, TOM, UMA } from '../../../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../../../test/fixtures/seed-ids.ts'
import { audited } from '../../../../test/harness/audited.ts'
import { signInWithCookie } from '../../../../test/harness/browser-requests.ts'
import { openStream, WITHIN_A_SECOND_MS } from '../../../../test/harness/event-stream.ts'
import { runJobs } from '../../../../test/harness/run-jobs.ts'
import { signInOutcome } from '../../../../test/harness/sign-in-outcome.ts'
import { startWorld } from '../../../../test/harness/start-world.ts'
import { changedTables, tableDigests } from '../../../../test/harness/table-digests.ts'
import { slapdSettings, startSlapd } from '../../../../test/peers/slapd.ts'
import { enqueueJob } from '../../../platform/jobs/jobs.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { ANONYMOUS_VIEWER } from '../../../platform/http/request-state.ts'
import { createWriteContext } from '../../../platform/http/write-context.ts'
import { signInToSvn } from '../../sign-in/sign-in-to-svn.ts'
import { findDirectory } from '../directory.ts'
import { replaceDirectoryLink } from '../link-directory-account.ts'
import { syncDirectory } from './sync-directory.ts'

const LOCAL = [ADA, MARA, TOM, UMA, GUS]
/** More than one page, and more than the server gives without paging. */
const STRANGERS = 1150
const stranger = (number: number) => ({
  login: `person${number}`,
  name: `Person ${number}`,
  email: `person${number}@orchard.example`,
})
const asEntry = ({ login, real_name, email }: TestPerson) => ({ login, name: real_name, email })

const slapd = await startSlapd({
  ldif: [
    ...LOCAL.map((person) => personLdif(asEntry(person))),
    ...Array.from({ length: STRANGERS }, (_, number) => personLdif(stranger(number))),
    personLdif({ login: 'robot', name: 'No address' }),
    groupLdif('staff', [personDn('uma'), groupDn('teams')]),
    groupLdif('teams', [groupDn('pickers'), personDn('person7')]),
    groupLdif('pickers', [personDn('person8'), groupDn('staff')]),
  ].join('\n'),
})
afterAll(() => slapd.close())
const { api, context, clock } = await startWorld()

const settings = {
  name: 'company',
  ...slapdSettings(slapd),
  // Of the strangers only two, unless a test wants all.
  people_filter: '(|(!(uid=person*))(uid=person7)(uid=person8))',
  disabled_filter: '(employeeType=gone)',
  match_by: 'email',
  new_accounts: 'by_sync',
  group_mappings: [{ value: 'staff', user_group: String(LEADS) }],
}

let tests = 0
beforeEach(async () => {
  clock.advance(++tests * 3_600_000)
  await api.post('/directories', { as: ADA, body: settings })
})

async function sync() {
  const directory = await findDirectory(context.db, 'company')
  return directory && syncDirectory(context, directory)
}
const change = async (body: object) => {
  const answer = await api.patch('/directories/company', { as: ADA, body })
  if (answer.status !== 200) throw new Error(answer.text)
}
const lastSync = async () => (await api.get('/directories/company', { as: ADA })).json.last_sync
const account = async (login: string) =>
  (await context.db.selectFrom('account').selectAll().where('login', '=', login).executeTakeFirst()) ?? { status: null }
const leads = async () => {
  const { rows } = await sql<{ login: string }>`
    select account.login from user_group_member member join account on account.id = member.account_id
    where member.user_group_id = ${LEADS} order by account.login`.execute(context.db)
  return rows.map(({ login }) => login)
}
const replace = (login: string, type: string, values: string[]) =>
  slapd.admin.modify(
    personDn(login),
    new Change({ operation: 'replace', modification: new Attribute({ type, values }) }),
  )
/** Runs while the entries are disabled. */
async function whileGone(logins: readonly string[], work: () => Promise<void>): Promise<void> {
  for (const login of logins) await replace(login, 'employeeType', ['gone'])
  try {
    await work()
  } finally {
    for (const login of logins) await replace(login, 'employeeType', [])
  }
}
const toSvn = (secret: string) =>
  signInOutcome(signInToSvn(context, { login: 'tom', address: '198.51.100.7', request_id: null }, secret, 'read'))

describe('with all people', () => {
  beforeEach(() => change({ people_filter: '(objectClass=person)' }))

  test('the first run links accounts by address, makes the others, and follows nested groups with a cycle', async () => {
    expect(await sync()).toMatchObject({
      people: STRANGERS + LOCAL.length + 1,
      groups: 3,
      created: STRANGERS,
      linked: 4,
      conflicts: 1, // Ada is a site administrator.
      unusable: 1,
      missing: 0,
      joined: 2,
    })
    expect(await leads()).toEqual(['gus', 'person7', 'person8', 'uma'])
    expect(await audited(context, 'user.create')).toHaveLength(STRANGERS)
    expect(await account('person1149')).toMatchObject({ status: 'A', email: 'person1149@orchard.example' })
    expect(await lastSync()).toMatchObject({ error: null, counts: { created: STRANGERS } })
  })

  test('the second run writes nothing but its own result', async () => {
    await sync()
    const before = await tableDigests(context.db)
    const unchanged = { created: 0, linked: 0, updated: 0, suspended: 0, joined: 0, left: 0 }
    expect(await sync()).toMatchObject(unchanged)
    const after = await tableDigests(context.db)
    expect(changedTables(before, after).filter((table) => table !== 'directory_sync')).toEqual([])
  })
})

describe('a person who has left', () => {
  test('is refused by session, key, token, password and svn, and their streams close', async () => {
    await sync()
    const session = await signInWithCookie(api, TOM, { password: DIRECTORY_PASSWORD })
    const { json: token } = await api.post('/tokens', {
      body: { username: 'tom', password: DIRECTORY_PASSWORD },
      reader: TOM,
    })
    const byToken = { 'x-auth-token': token.token, 'x-auth-userid': token.user_id }
    const streams = [
      await openStream(api, '/events?after=now', { headers: session }),
      await openStream(api, '/events?after=now', { as: TOM }),
    ]
    const reads = async () => [
      (await api.get('/users/self', { headers: session, reader: TOM })).status,
      (await api.get('/users/self', { as: TOM })).status,
      (await api.get('/users/self', { headers: byToken, reader: TOM })).status,
      await toSvn(DIRECTORY_PASSWORD),
    ]
    expect(await reads()).toEqual([200, 200, 200, 'tom'])
    await whileGone(['tom'], async () => {
      expect(await sync()).toMatchObject({ missing: 1, suspended: 1 })
      const ended = performance.now()
      expect(await reads()).toEqual([401, 403, 401, 'credentials_invalid'])
      await vi.waitFor(() => expect(streams.map(({ isOver }) => isOver())).toEqual([true, true]), {
        timeout: WITHIN_A_SECOND_MS,
      })
      expect(performance.now() - ended).toBeLessThan(WITHIN_A_SECOND_MS)
      expect(await audited(context, 'user.status')).toMatchObject([
        { object: `users/${TOM.id}`, before: { status: 'A' }, after: { status: 'S' }, actor_id: null },
      ])
    })
    expect(await sync()).toMatchObject({ reactivated: 1 })
    expect((await api.get('/users/self', { as: TOM })).status).toBe(200)
    expect((await api.get('/users/self', { headers: session, reader: TOM })).status).toBe(401)
  })

  test('stays suspended if an administrator has suspended them', async () => {
    await sync()
    await api.patch(`/users/${TOM.id}`, { as: ADA, body: { values: { status: 'S' } } })
    await whileGone(['tom'], async () => void (await sync()))
    await sync()
    expect(await account('tom')).toMatchObject({ status: 'S' })
  })

  test('E17 is suspended only with as many as the settings allow', async () => {
    await change({ max_suspensions: 1 })
    await sync()
    await whileGone(['tom', 'uma'], async () => {
      expect(await sync()).toMatchObject({ missing: 2, suspended: 0 })
      expect((await lastSync()).error).toBe(
        '2 people are missing, more than `max_suspensions` (1): nobody was suspended.',
      )
    })
    expect(await account('tom')).toMatchObject({ status: 'A' })
  })

  test('E17 is not suspended by a run that could not read everything', async () => {
    await sync()
    await change({ groups_base: 'ou=nowhere,dc=orchard,dc=example' })
    await whileGone(['tom'], async () => {
      await expect(sync()).rejects.toThrow('The directory refuses the request')
      expect(await account('tom')).toMatchObject({ status: 'A' })
      expect((await lastSync()).error).toContain('The directory refuses the request')
    })
  })

  test('stays as the last site administrator', async () => {
    await sync()
    await sql`update account set is_site_admin = id = ${TOM.id}`.execute(context.db)
    await whileGone(['tom'], async () => {
      expect(await sync()).toMatchObject({ missing: 1, suspended: 0 })
      expect(await account('tom')).toMatchObject({ status: 'A' })
    })
  })
})

describe('a changed entry', () => {
  test('gives its name and address, unless another account has the address', async () => {
    await sync()
    try {
      await replace('tom', 'cn', ['Thomas Tiller'])
      await replace('uma', 'mail', [OLGA.email])
      await replace('gus', 'mail', ['gus@orchard.example'])
      expect(await sync()).toMatchObject({ updated: 2, conflicts: 2 })
      expect(await account('tom')).toMatchObject({ real_name: 'Thomas Tiller' })
      expect(await account('uma')).toMatchObject({ email: UMA.email })
      expect(await account('gus')).toMatchObject({ email: 'gus@orchard.example' })
      const [entry] = await audited(context, 'user.update')
      expect(entry).toMatchObject({ after: { real_name: '(personal)' } })
      expect(await sync()).toMatchObject({ updated: 0 })
    } finally {
      await replace('tom', 'cn', [TOM.real_name])
      await replace('uma', 'mail', [UMA.email])
      await replace('gus', 'mail', [GUS.email])
    }
  })

  test('of a group ends the memberships that it gave, and no others', async () => {
    await sync()
    expect(await leads()).toEqual(['gus', 'person7', 'person8', 'uma'])
    await change({ max_group_depth: 1 })
    expect(await sync()).toMatchObject({ left: 1 })
    expect(await leads()).toEqual(['gus', 'person7', 'uma'])
    await change({ group_mappings: [{ value: 'nobody', user_group: String(LEADS) }] })
    expect(await sync()).toMatchObject({ left: 0 })
    expect((await lastSync()).error).toContain('The mapped group nobody does not exist')
    await change({ group_mappings: [{ value: groupDn('pickers'), user_group: `${ORCHARD}_3` }] })
    expect(await sync()).toMatchObject({ left: 1, joined: 1 })
    expect(await leads()).toEqual(['gus', 'uma'])
  })
})

describe('the job', () => {
  const runJob = async () => {
    await inTransaction(context.db, (tx) => enqueueJob(tx, { type: 'directory_sync', payload: {} }, null))
    await runJobs(context)
  }
  test('runs when the interval is over, and again after a failure', async () => {
    await runJob()
    const first = await lastSync()
    expect(first.counts).toMatchObject({ linked: 4 })
    clock.advance(59 * 60_000)
    await runJob()
    expect(await lastSync()).toEqual(first)
    clock.advance(60_000)
    await runJob()
    expect((await lastSync()).started_on).not.toBe(first.started_on)
    await slapd.stop()
    try {
      clock.advance(60 * 60_000)
      await runJob()
      expect((await lastSync()).error).toContain('nothing listens there')
    } finally {
      await slapd.start()
    }
    clock.advance(5 * 60_000)
    await runJob()
    expect(await lastSync()).toMatchObject({ error: null })
  })

  test('does not run beside another one, or for a directory that is switched off', async () => {
    await sql`insert into directory_sync (directory, started_on, counts)
      values ('company', ${clock.now()}, '{}')`.execute(context.db)
    expect(await sync()).toBeUndefined()
    clock.advance(7 * 3_600_000)
    await change({ is_enabled: false })
    await runJob()
    expect(await audited(context, 'identity.link')).toEqual([])
  })
})

test('an account that an operator has linked belongs to its entry', async () => {
  await change({ match_by: 'id', new_accounts: 'never' })
  const [entry] = (await slapd.admin.search(personDn('mara'), { scope: 'base', attributes: ['entryUUID'] }))
    .searchEntries
  const link = { directory: 'company', entry_id: String(entry?.['entryUUID']), account_id: MARA.id, login: null }
  const origin = { viewer: ANONYMOUS_VIEWER, request_id: null, address: null }
  await inTransaction(context.db, (tx) =>
    replaceDirectoryLink(createWriteContext(tx, origin, undefined), link, clock.now()),
  )
  expect(await sync()).toMatchObject({ created: 0, linked: 0, updated: 0 })
  await signInWithCookie(api, MARA, { password: DIRECTORY_PASSWORD })
})
