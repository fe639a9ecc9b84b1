import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/harness/database.ts'
import { ADA, MARA, TOM, OLGA } from '../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../test/fixtures/seed-ids.ts'
import { callCommand, commandEnvironment, type CommandResult, runCommand } from '../../test/harness/run-command.ts'
import { seed } from '../../test/fixtures/seed.ts'
import { freePort } from '../platform/operation/free-port.ts'
import { type ServerProcess, startServerProcess } from '../../test/harness/server-process.ts'
import { startMailPeer } from '../../test/peers/mail-peer.ts'
import { createSvnFolders, getSvnFolders } from '../repositories/disk/svn-folders.ts'
import { startHeartbeat } from '../platform/jobs/heartbeat.ts'
import { readConfig } from '../platform/operation/config.ts'
import { openDatabase } from '../platform/database/db.ts'
import { sequenceEvents } from '../platform/database/sequence-events.ts'

const { ownerUrl, appUrl } = await createTestDatabase()
const unmigrated = await createTestDatabase('empty')
const owner = openDatabase({ connectionString: ownerUrl, idle_in_transaction_session_timeout: 60_000 })
const mails = await startMailPeer()
const environment = {
  ...commandEnvironment(appUrl),
  WAYPOST_ENVIRONMENT: 'test', // The test cluster is not durable.
  WAYPOST_MIGRATE_URL: ownerUrl,
  WAYPOST_SMTP_URL: mails.url,
}
const NOBODY = 999_999
const NOBODY_UID = 65_534
const waypost = (...args: string[]) => callCommand(environment, args)

let server: ServerProcess
beforeAll(async () => {
  await seed(owner)
  server = await startServerProcess({ WAYPOST_DATABASE_URL: appUrl, WAYPOST_LOG_LEVEL: 'error' })
})
afterAll(async () => {
  await server.stop()
  await owner.destroy()
})

test('migrate does nothing if the schema is current, and --check confirms it', async () => {
  expect(await waypost('migrate')).toEqual(done('Nothing to do.\n'))
  expect(await waypost('migrate', '--check')).toEqual(done('Nothing is missing.\n'))
})

test('a missing migration fails the check and the doctor, and migrate applies it', async () => {
  const empty = {
    ...environment,
    WAYPOST_MIGRATE_URL: unmigrated.ownerUrl,
    WAYPOST_DATABASE_URL: unmigrated.appUrl,
  }

  const check = await callCommand(empty, ['migrate', '--check'])
  expect(check.code).toBe(1)
  expect(check.out).toMatch(/^Missing: 0001-platform\.sql, /)
  const doctor = await callCommand(empty, ['doctor'])
  expect(doctor.code).toBe(1)
  expect(doctor.out).toMatch(/^WRONG +migrations +missing: 0001-platform\.sql/m)
  expect(await callCommand(empty, ['migrate'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Applied: 0001-/),
  })
  expect((await callCommand(empty, ['doctor', '--before-start'])).code).toBe(0)
})

test('the doctor reports a healthy installation', async () => {
  const reachable = { ...environment, WAYPOST_PUBLIC_URL: server.api.origin }
  const heartbeat = await startHeartbeat(owner, { warn: () => {} })
  const { code, out } = await callCommand(reachable, ['doctor', '--json'])
  await heartbeat.end()
  const findings: { what: string; state: string }[] = JSON.parse(out)

  expect(findings.map(({ what }) => what)).toContain('retention')
  // The disk of the machine may be full.
  expect(findings.filter(({ what, state }) => state !== 'ok' && what !== 'postgresql' && what !== 'disk')).toEqual([])
  expect(code).toBe(0)
})

test('the doctor fails without a worker, also if one was seen long ago', async () => {
  const none = await waypost('doctor')
  expect(none).toMatchObject({ code: 1, out: expect.stringMatching(/^WRONG +worker +none runs: mails, /m) })
  const heartbeat = await startHeartbeat(owner, { warn: () => {} })
  await sql`update worker_heartbeat set seen_on = now() - interval '12 minutes'`.execute(owner)
  const late = await waypost('doctor')
  expect(late).toMatchObject({ code: 1, out: expect.stringMatching(/^WRONG +worker +none was seen for 12 minutes/m) })
  await heartbeat.end()
  expect((await waypost('doctor', '--before-start')).out).not.toMatch(/^\w+ +worker /m)
})

test('the doctor fails if the mail server does not respond, or refuses the password', async () => {
  const dead = `127.0.0.1:${await freePort()}`
  const gone = await callCommand({ ...environment, WAYPOST_SMTP_URL: `smtp://${dead}` }, ['doctor'])
  expect(gone).toMatchObject({
    code: 1,
    out: expect.stringMatching(new RegExp(`^WRONG +mail +${dead}: .*ECONNREFUSED`, 'm')),
  })
  const withPassword = mails.url.replace('smtp://', 'smtp://waypost:wrong@')
  const unknown = await callCommand({ ...environment, WAYPOST_SMTP_URL: withPassword }, ['doctor'])
  expect(unknown).toMatchObject({ code: 1, out: expect.stringMatching(/^WRONG +mail +127\.0\.0\.1:\d+: /m) })
  expect(unknown.out).not.toContain('wrong@')
})

test('the doctor fails if S3 does not respond', async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`
  const s3 = { WAYPOST_S3_ENDPOINT: endpoint, WAYPOST_S3_ACCESS_KEY: 'key', WAYPOST_S3_SECRET_KEY: 'secret' }
  const away = await callCommand({ ...environment, ...s3, WAYPOST_FILES: 's3://waypost/files' }, ['doctor'])
  expect(away).toMatchObject({ code: 1, out: expect.stringMatching(/^WRONG +files +s3:\/\/waypost\/files: /m) })
})

test('the doctor creates nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-doctor-'))
  const absent = { WAYPOST_FILES: join(folder, 'files'), WAYPOST_SVN_ROOT: join(folder, 'svn') }
  const { out } = await callCommand({ ...environment, ...absent }, ['doctor'])
  expect(out).toMatch(/^ok +files +\S+ does not exist yet/m)
  expect(out).toMatch(/^ok +subversion +\S+ does not exist yet/m)
  await mkdir(absent.WAYPOST_FILES)
  await mkdir(absent.WAYPOST_SVN_ROOT)
  await callCommand({ ...environment, ...absent }, ['doctor'])
  expect(await readdir(folder, { recursive: true })).toEqual(['files', 'svn'])
  await rm(folder, { recursive: true })
})

test.skipIf(process.getuid?.() !== 0)('the doctor checks folders as the user of the servers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-doctor-'))
  await chmod(folder, 0o711)
  const files = join(folder, 'files')
  await mkdir(join(files, 'content', '0a'), { recursive: true })
  for (const each of [files, join(files, 'content')]) await chown(each, NOBODY_UID, NOBODY_UID)
  const own = { ...environment, WAYPOST_FILES: files, WAYPOST_SVN_ROOT: folder }
  // One folder was made by root, as by a command that was run as root. Only another user notices.
  expect((await runCommand(own, ['doctor'])).out).toMatch(/^ok +files /m)
  const asNobody = await runCommand(own, ['doctor', '--user', 'nobody'])
  expect(asNobody.code).toBe(1)
  expect(asNobody.out).toMatch(/^ok +user +checked as nobody$/m)
  expect(asNobody.out).toMatch(
    /^WRONG +files +\S+\/content\/0a: EACCES: nobody cannot write there; it belongs to the user 0$/m,
  )
  await rm(folder, { recursive: true })
  expect(await runCommand(own, ['doctor', '--user', 'no-such-user'])).toMatchObject({
    code: 1,
    err: 'There is no user no-such-user on this machine.\n',
  })
})

test('the doctor reports missing files of Apache, and repositories that belong to root', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-doctor-'))
  const config = readConfig({ ...environment, WAYPOST_SVN_ROOT: folder })
  await createSvnFolders(getSvnFolders(config))
  const check = () => callCommand({ ...environment, WAYPOST_SVN_ROOT: folder }, ['doctor'])
  expect((await check()).out).toMatch(/^look +subversion +Apache does not respond on /m)
  await sql`insert into repository (project_id, name, created_on) values (${ORCHARD}, 'core', now())`.execute(owner)
  expect(await check()).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^WRONG +subversion +orchard\.conf is missing/m),
  })
  await sql`delete from repository where name = 'core'`.execute(owner)
  const foreign = join(folder, 'repositories', 'orchard')
  await mkdir(foreign, { mode: 0o555 })
  expect(await check()).toMatchObject({
    code: 1,
    out: expect.stringMatching(new RegExp(`^WRONG +subversion +${foreign}`, 'm')),
  })
  await rm(folder, { recursive: true })
})

test('the doctor fails if PostgreSQL is not durable in production, and warns elsewhere', async () => {
  const inProduction = await callCommand({ ...environment, WAYPOST_ENVIRONMENT: 'production' }, ['doctor'])
  expect(inProduction.out).toMatch(/^WRONG +postgresql +fsync is off; full_page_writes is off; /m)
  expect((await waypost('doctor')).out).toMatch(/^look +postgresql +fsync is off; /m)
})

test('the doctor fails if nobody runs retain', async () => {
  await sql`insert into audit (action, outcome, "on", address)
    values ('user.update', 'done', now() - interval '34 days', '203.0.113.9')`.execute(owner)
  expect(await waypost('doctor')).toMatchObject({ code: 1, out: expect.stringMatching(/^WRONG +retention +/m) })
  await waypost('retain')
  expect((await waypost('doctor')).out).toMatch(/^ok +retention +in time$/m)
})

test('the doctor reports servers that use the owner role, and an unreachable database', async () => {
  const asOwner = await callCommand({ ...environment, WAYPOST_DATABASE_URL: ownerUrl }, ['doctor', '--before-start'])
  expect(asOwner).toMatchObject({ code: 0, out: expect.stringMatching(/^look +roles .*may do more than it needs$/m) })

  const away = { ...environment, WAYPOST_DATABASE_URL: 'postgresql://waypost_app@localhost:1/waypost' }
  const gone = await callCommand(away, ['doctor'])
  expect(gone).toMatchObject({ code: 1, out: expect.stringMatching(/^WRONG +database +\S.*ECONNREFUSED/m) })
})

test('the doctor reports a feed that stands still', async () => {
  const held = await owner.startTransaction().execute() // Keeps a worker from sequencing.
  await sql`select from feed_sequence for update`.execute(held)
  await sql`insert into event (type, "on") values ('late', now() - interval '1 minute')`.execute(owner)
  const { code, out } = await callCommand(environment, ['doctor'])
  await held.rollback().execute()
  expect(code).toBe(1)
  expect(out).toMatch(/^WRONG +feed +the oldest event without a position is \d+ s old$/m)
  await sequenceEvents(owner)
  expect((await callCommand(environment, ['doctor'])).out).toMatch(/^ok +feed +all events have a position$/m)
})

test('the doctor reports a file store that is not writable', async () => {
  const { code, out } = await callCommand({ ...environment, WAYPOST_FILES: '/dev/null/files' }, ['doctor'])

  expect(code).toBe(1)
  expect(out).toMatch(/^WRONG +files +\/dev\/null is no folder$/m)
})

test('--version prints the version', async () => {
  const { version }: { version: string } = JSON.parse(await readFile('server/package.json', 'utf8'))
  expect(await waypost('--version')).toEqual(done(`Waypost ${version}\n`))
})

test('config lists every variable and hides secrets', async () => {
  const { code, out } = await callCommand({ ...environment, WAYPOST_PORT: '8123' }, ['config'])

  expect(code).toBe(0)
  expect(out).toMatch(/^WAYPOST_PORT +8123 +8080 /m)
  expect(out).toMatch(/^WAYPOST_SECRET_KEYS +\(set\) +\(required\) /m)
  expect(out).not.toContain(environment.WAYPOST_SECRET_KEYS)
})

test('an invalid configuration is reported in full, without a stack trace', async () => {
  const { code, err } = await runCommand({ WAYPOST_PORT: 'eighty', WAYPOST_COLOUR: 'red' }, ['user', 'erased'])

  expect(code).toBe(1)
  for (const name of ['WAYPOST_DATABASE_URL is not set', 'WAYPOST_PORT must be', 'WAYPOST_COLOUR is not known'])
    expect(err).toContain(name)
  expect(err).not.toContain('    at ')
})

test('an account is created, changed and erased, and the audit log names the shell', async () => {
  const made = await runCommand(
    environment,
    ['user', 'create', '--login', 'nina', '--name', 'Nina New', '--email', 'nina@waypost.example', '--password', '-'],
    { input: 'a password from standard input\n' },
  )
  expect(made).toMatchObject({ code: 0, err: '' })
  const { id, username }: { id: number; username: string } = JSON.parse(made.out)
  expect(username).toBe('nina')
  const signIn = { body: { username: 'nina', password: 'a password from standard input' } }
  expect((await server.api.post('/tokens', signIn)).status).toBe(200)

  expect(await waypost('user', 'update', 'nina', '--status', 'S')).toEqual(done('nina is changed.\n'))
  expect((await server.api.post('/tokens', signIn)).status).toBe(403)
  expect(await waypost('user', 'update', 'nina', '--status', 'A', '--site-admin', 'yes')).toMatchObject({ code: 0 })
  expect(await waypost('user', 'erase', 'nina', '--confirm', 'nina')).toEqual(done('nina is erased.\n'))
  expect((await waypost('user', 'erased')).out).toBe(`${id}\n`)

  const rows = await auditOf(`users/${id}`)
  expect(rows.map(({ action }) => action)).toEqual([
    'user.create',
    'token.create',
    'user.status',
    'user.status',
    'user.erase',
  ])
  for (const row of rows.filter(({ action }) => action.startsWith('user.')))
    expect(row).toMatchObject({ credential_kind: 'command_line', actor_id: null, address: null })
})

test('errors are sentences, and exit with 1', async () => {
  const taken = await waypost(
    'user',
    'create',
    '--login',
    TOM.login,
    '--name',
    'Tom Two',
    '--email',
    'two@waypost.example',
  )
  expect(taken).toEqual(refused('`username` is already in use.\n'))
  const wrong = await waypost('user', 'create', '--login', '-x', '--name', ' ', '--email', 'nowhere')
  expect(wrong).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^`real_name` .*\n`email` .*\n$/) })
  expect(await waypost('user', 'update', ADA.login, '--status', 'S')).toEqual(
    refused('The platform needs at least one active site administrator.\n'),
  )
  expect(await waypost('user', 'update', TOM.login)).toEqual(
    refused('There is nothing to change: give at least one option.\n'),
  )
  expect(await waypost('user', 'erase', MARA.login, '--confirm', MARA.login)).toMatchObject({
    code: 1,
    err: expect.stringContaining(`A project needs at least one administrator.\n  project ${ORCHARD} `),
  })
  expect(await waypost('user', 'erase', 'nobody', '--confirm', 'nobody')).toEqual(
    refused('There is no account nobody.\n'),
  )
  expect((await waypost('user', 'update', TOM.login, '--site-admin', 'perhaps')).code).toBe(1)
  expect((await runCommand(environment, ['unheard-of'])).code).toBe(1)
})

test('without a mail server, a new account gets a printed link that sets the password once', async () => {
  const { WAYPOST_SMTP_URL: _, ...unmailed } = environment
  const made = await callCommand(
    unmailed,
    'user create --login lena --name Lena --email lena@waypost.example --site-admin'.split(' '),
  )
  expect(made).toMatchObject({ code: 0, err: '' })
  const [user = '', link = ''] = made.out.split('\n')
  expect(JSON.parse(user)).toMatchObject({ username: 'lena' })
  const [, secret = ''] = /^Set the password within 7 days: \S+\/account\/reset#([\w-]{43})$/.exec(link) ?? []
  const body = { new_password: 'chosen by its owner alone' }
  expect((await server.api.put(`/password_resets/${secret}`, { body })).status).toBe(200)
  expect((await server.api.put(`/password_resets/${secret}`, { body })).status).toBe(404)
  const signIn = { username: 'lena', password: body.new_password }
  expect((await server.api.post('/tokens', { body: signIn })).status).toBe(200)
  expect(await waypost('user', 'erase', 'lena', '--confirm', 'lena')).toMatchObject({ code: 0 })
})

test('a key created in the shell opens the API until it is deleted', async () => {
  const { code, out } = await waypost(
    'key',
    'create',
    '--user',
    TOM.login,
    '--description',
    'shell',
    '--scope',
    'read:rest',
  )
  const key = out.trim()
  const ask = () => server.api.get('/users/self', { headers: { 'x-auth-accesskey': key }, reader: TOM })
  expect(code).toBe(0)
  expect((await ask()).json).toMatchObject({ username: TOM.login })
  const [, id = ''] = /^tlp-k1-(\d+)\./.exec(key) ?? []

  expect(await waypost('key', 'delete', id, '--user', MARA.login)).toMatchObject({ code: 1, out: '' })
  expect(await waypost('key', 'delete', id, '--user', TOM.login)).toEqual(done(`Key ${id} is deleted.\n`))
  expect((await ask()).status).toBe(401)
  expect(await auditOf(`access_keys/${id}`)).toMatchObject([
    { action: 'access_key.create', credential_kind: 'command_line', actor_id: TOM.id },
    { action: 'access_key.delete', credential_kind: 'command_line', actor_id: TOM.id },
  ])
})

test('a project is created, suspended by its short name, and activated by its id', async () => {
  const made = await waypost('project', 'create', '--shortname', 'meadow', '--label', 'Meadow', '--admin', TOM.login)
  expect(made).toMatchObject({ code: 0, err: '' })
  const { id }: { id: number } = JSON.parse(made.out)
  expect((await server.api.get(`/projects/${id}`)).status).toBe(200)

  expect(await waypost('project', 'status', 'Meadow', 'suspended')).toEqual(done('Project Meadow is suspended.\n'))
  expect((await server.api.get(`/projects/${id}`, { as: TOM })).status).toBe(404)
  expect(await waypost('project', 'status', String(id), 'active')).toMatchObject({ code: 0 })
  expect((await server.api.get(`/projects/${id}`)).status).toBe(200)
  expect(await waypost('project', 'status', 'meadow', 'asleep')).toMatchObject({
    code: 1,
    err: expect.stringContaining('`status`'),
  })
  expect(await waypost('project', 'status', 'nowhere', 'active')).toEqual(refused('There is no project nowhere.\n'))
  expect((await auditOf(`projects/${id}`)).filter(({ action }) => action === 'project.update')).toMatchObject([
    { credential_kind: 'command_line', actor_id: null },
    { credential_kind: 'command_line', actor_id: null },
  ])
})

test('a user group is created and filled from the shell, which has no account', async () => {
  const made = await waypost(
    'group',
    'create',
    '--project',
    'orchard',
    '--name',
    'pickers',
    '--description',
    'In autumn',
  )
  expect(made).toMatchObject({ code: 0, err: '' })
  const { id, short_name }: { id: string; short_name: string } = JSON.parse(made.out)
  expect(short_name).toBe('pickers')
  const members = async () => {
    const { json }: { json: { username: string }[] } = await server.api.get(`/user_groups/${id}/users`, { as: MARA })
    return json.map(({ username }) => username).toSorted()
  }

  expect(await waypost('group', 'members', id, '--set', 'tom, mara')).toEqual(done(`Group ${id}: tom, mara.\n`))
  expect(await members()).toEqual(['mara', 'tom'])
  expect(await waypost('group', 'members', id, '--set', '')).toEqual(done(`Group ${id}: nobody.\n`))
  expect(await members()).toEqual([])
  expect(await waypost('group', 'members', String(LEADS), '--set', 'tom,ghost')).toEqual(
    refused('`user_references[1].username` names something that does not exist, or that you may not see.\n'),
  )
  expect(await waypost('group', 'create', '--project', String(ORCHARD), '--name', 'pickers')).toEqual(
    refused('`short_name` is already in use.\n'),
  )
  expect(await auditOf(`user_groups/${id}`)).toMatchObject([
    { action: 'user_group.create', credential_kind: 'command_line', actor_id: null },
    { action: 'user_group.members', credential_kind: 'command_line', actor_id: null },
    { action: 'user_group.members', credential_kind: 'command_line', actor_id: null },
  ])
})

test('retain removes expired data, as the owner of the schema', async () => {
  await sql`insert into audit ("on", action, outcome) values ('2001-02-03 04:05:06Z', 'user.update', 'done')`.execute(
    owner,
  )
  expect((await waypost('doctor')).out).toMatch(/^WRONG +retention .*no timer runs `waypost retain`$/m)
  const withoutOwner = { ...environment, WAYPOST_MIGRATE_URL: '' }
  expect(await callCommand(withoutOwner, ['retain'])).toEqual(refused('permission denied for table audit\n'))

  expect(await waypost('retain')).toEqual(
    done('Removed 1 entries of the audit log (1 days) and 0 events.\nShortened the address in 0 entries.\n'),
  )
  expect((await waypost('doctor')).out).toMatch(/^ok +retention +in time$/m)
  const entries = await auditOf('audit')
  expect(entries).toMatchObject([{ action: 'audit.retention', credential_kind: 'command_line', actor_id: null }])
})

test('after a restore, accounts erased since the backup are erased again, and the feed restarts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-restored-'))
  const erased = join(folder, 'erased.txt')
  const epoch = async () => (await sql<{ epoch: string }>`select epoch from feed_epoch`.execute(owner)).rows[0]?.epoch
  const before = await epoch()
  await writeFile(erased, `${OLGA.id}\n${MARA.id}\n${NOBODY}\n`)

  const { code, out, err } = await waypost('restored', '--erased', erased)

  expect({ code, out }).toEqual({ code: 1, out: `User ${OLGA.id} is erased again.\nThe feed begins anew.\n` })
  expect(err).toContain(`User ${MARA.id}: A project needs at least one administrator.`)
  expect(await epoch()).not.toBe(before)
  expect((await waypost('user', 'erased', '--file', erased)).code).toBe(0)
  expect(await readFile(erased, 'utf8')).toMatch(new RegExp(`^${OLGA.id}$`, 'm'))
  await writeFile(erased, 'victor\n')
  expect(await waypost('restored', '--erased', erased)).toEqual(refused('victor is not the id of a user.\n'))
  await rm(folder, { recursive: true })
})

test('seed fills the database', async () => {
  const count = async () => {
    const { rows } = await sql<{ people: number; projects: number }>`
      select (select count(*) from account) as people, (select count(*) from project) as projects`.execute(owner)
    return rows[0] ?? { people: 0, projects: 0 }
  }
  const before = await count()

  expect(await waypost('seed', '--users', '200', '--projects', '20')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^200 people and 20 projects in /),
  })
  expect(await count()).toEqual({ people: before.people + 200, projects: before.projects + 20 })
  expect((await waypost('seed', '--users', 'many')).code).toBe(1)
})

function done(out: string): CommandResult {
  return { code: 0, out, err: '' }
}

function refused(err: string): CommandResult {
  return { code: 1, out: '', err }
}

async function auditOf(object: string) {
  const { rows } = await sql<{
    action: string
    credential_kind: string
    actor_id: number | null
    address: string | null
  }>`
    select action, credential_kind, actor_id, address from audit
    where object = ${object} and outcome = 'done' order by id`.execute(owner)
  return rows
}
