import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../test/peers/mail-peer.ts'
import { SAME_ORIGIN_HEADERS } from '../../../test/harness/browser-requests.ts'
import { TOM } from '../../../test/fixtures/people.ts'
import { masked, refused } from '../../../test/harness/refused.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'

const peer = await startMailPeer()
const { api, context } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })

const nina = {
  username: 'nina',
  real_name: 'Nina New',
  email: 'nina@orchard.example',
  password: 'a quite different horse',
}

describe('POST /registrations', () => {
  beforeEach(() => allow('open'))

  test('creates an account that becomes active when its address is confirmed', async () => {
    const answer = await register(nina)

    expect(answer).toMatchObject({ status: 202, text: '' })
    expect(await signIn()).toMatchObject(refused(401, 'credentials_invalid'))
    expect(peer.mails).toMatchObject([{ to: [nina.email], subject: 'Your account on Waypost' }])

    expect((await api.put(`/email_verifications/${secret()}`)).status).toBe(200)
    expect((await signIn()).json).toMatchObject({ user: { username: 'nina', email: nina.email, status: 'A' } })
    expect(await audited(context, 'registration.create')).toMatchObject([
      { object: expect.stringMatching(/^users\/\d+$/) },
    ])
  })

  test('waits for an administrator if the platform requires approval', async () => {
    await allow('approval')
    await register(nina)

    expect(peer.mails[0]?.text).toContain('waits until an administrator approves it')
    expect((await api.put(`/email_verifications/${secret()}`)).status).toBe(200)
    expect(await signIn()).toMatchObject(refused(401, 'credentials_invalid'))
    const { rows } = await sql`select status, email from account where login = 'nina'`.execute(context.db)
    expect(rows).toEqual([{ status: 'P', email: nina.email }])
  })

  test.each([
    { what: 'login', change: { username: TOM.login }, to: 'noah@orchard.example', says: 'this login is not free' },
    { what: 'address', change: { email: TOM.email }, to: TOM.email, says: 'you have one already' },
    {
      what: 'login and address',
      change: { username: TOM.login, email: TOM.email },
      to: TOM.email,
      says: 'you have one already',
    },
  ])('responds the same when the $what is taken, and only the mail says so', async ({ change, to, says }) => {
    const free = await register(nina)
    const taken = await register({ ...nina, username: 'noah', email: 'noah@orchard.example', ...change })

    expect(taken).toMatchObject({ status: 202, text: free.text })
    const rehearse = (body: object) => api.post('/registrations?dry_run=true', { body })
    const [ofFree, ofTaken] = [await rehearse({ ...nina, username: 'noah' }), await rehearse({ ...nina, ...change })]
    const asTaken = masked(ofTaken).replaceAll(TOM.login, 'noah').replaceAll(nina.username, 'noah')
    expect(asTaken).toBe(masked(ofFree))
    expect(Object.keys(taken.headers)).toEqual(Object.keys(free.headers))
    expect(peer.mails[1]).toMatchObject({ to: [to], text: expect.stringContaining(says) })
    expect(peer.mails[1]?.text).not.toContain('#')
    const { rows } = await sql`select from account where status = 'P' and login <> 'pia'`.execute(context.db)
    expect(rows).toHaveLength(1)
  })

  test('reserves no address before it is confirmed', async () => {
    await register({ ...nina, username: 'squatter' })
    await register(nina)

    expect((await api.put(`/email_verifications/${secret()}`)).status).toBe(200)
    expect((await signIn()).status).toBe(201)
  })

  test.each([
    [{ username: 'N!na' }, 'name_invalid'],
    [{ email: 'nina' }, 'parameter_invalid'],
    [{ password: 'short' }, 'rule_violated'],
    [{ real_name: 7 }, 'parameter_invalid'],
  ])('refuses %j with %s', async (wrong, reason) => {
    expect(await register({ ...nina, ...wrong })).toMatchObject(refused(400, reason))
  })

  test('works if the platform forbids anonymous access', async () => {
    await choose({ registration: 'open', anonymous_access: false })

    expect((await register(nina)).status).toBe(202)
  })

  test('is not found if registration is closed', async () => {
    await allow('closed')

    expect(await register(nina)).toMatchObject(refused(404, 'not_found'))
  })
})

describe('GET /registrations', () => {
  test.each(['closed', 'approval', 'open'])('says that registration is %s, to everyone', async (registration) => {
    await choose({ registration, anonymous_access: false })

    expect((await api.get('/registrations')).json).toEqual({ registration })
    expect((await api.get('/registrations', { as: TOM })).json).toEqual({ registration })
  })
})

function allow(registration: string): Promise<void> {
  return choose({ registration })
}

async function choose(settings: object): Promise<void> {
  await sql`update setting set version = version + 1, chosen = ${JSON.stringify(settings)}::jsonb`.execute(context.db)
}

async function register(body: object) {
  const answer = await api.post('/registrations', { body })
  await runJobs(context)
  return answer
}

function signIn() {
  return api.post('/session', { headers: SAME_ORIGIN_HEADERS, body: { username: 'nina', password: nina.password } })
}

function secret(): string {
  return /#([\w-]{43})/.exec(peer.mails.at(-1)?.text ?? '')?.[1] ?? ''
}
