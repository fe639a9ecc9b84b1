import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { uploadInChunks } from '../../fixtures/attachments.ts'
import { basic, type Response } from '../../harness/client.ts'
import { startWorld } from '../../harness/start-world.ts'
import { startMailPeer } from '../../peers/mail-peer.ts'
import { cookieIn, SAME_ORIGIN_HEADERS, signInWithCookie } from '../../harness/browser-requests.ts'
import { ADA, MARA, PASSWORD, ALL_PEOPLE, SAM, secretOf, TOM } from '../../fixtures/people.ts'
import { runJobs } from '../../harness/run-jobs.ts'

const peer = await startMailPeer()
const { api, context } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })

test('A04 a dump of the database and the file store contains no secret that was ever issued or sent', async () => {
  const secrets = new Set<string>(ALL_PEOPLE.map(({ key }) => key))
  const keep = (secret: string) => void secrets.add(secret)
  const right = ({ status, text, json }: Response) => {
    expect(status, text).toBeLessThan(300)
    return json
  }

  // Keys, tokens, sessions and passwords, valid and invalid, in every place that takes one.
  const key = right(
    await api.post('/access_keys', { as: TOM, body: { description: 'nightly' }, headers: { 'idempotency-key': 'a' } }),
  )
  keep(key.identifier)
  await api.post('/access_keys', { as: TOM, body: { description: 'nightly' }, headers: { 'idempotency-key': 'a' } })
  keep(right(await api.post('/tokens', { body: { username: TOM.login, password: PASSWORD } })).token)
  const page = await signInWithCookie(api, MARA)
  keep(page.cookie)
  const changed = 'a new and long password 7f21'
  const own = await api.put('/users/self/password', {
    headers: page,
    reader: MARA,
    body: { current_password: PASSWORD, new_password: changed },
  })
  keep(cookieIn(own))
  for (const typed of ['wrong password 55aa', 'my password typed as a login 66bb', changed, PASSWORD]) {
    keep(typed)
    await api.post('/tokens', { body: { username: typed, password: typed } })
    await api.post('/session', { headers: SAME_ORIGIN_HEADERS, body: { username: typed, password: typed } })
    await api.get('/users/self', { headers: basic({ login: typed }, typed) })
    await api.get('/users/self', { headers: basic(SAM, typed) })
    await api.get('/users/self', { headers: basic(TOM, MARA.key) }) // A key of one account with the login of another.
  }
  for (const header of ['x-auth-accesskey', 'cookie', 'authorization']) {
    keep(`refused-${header}-8d8d`)
    await api.get('/users/self', { headers: { ...SAME_ORIGIN_HEADERS, [header]: `refused-${header}-8d8d` } })
  }

  // Mailed links: sent, used, refused.
  await api.patch('/settings', { as: ADA, body: { registration: 'open' } })
  await api.post('/password_resets', { body: { login: TOM.login } })
  await api.post('/password_resets', { body: { login: 'a password typed here 77cc' } })
  await api.post('/invitations', { as: ADA, body: { emails: ['guest@waypost.example'], custom_message: 'Join us' } })
  await api.patch(`/users/${TOM.id}`, { as: TOM, body: { email: 'tom.new@waypost.example' } })
  const registered = 'the password of newcomers 88dd'
  keep(registered)
  await api.post('/registrations', {
    body: { username: 'newcomer', real_name: 'New Comer', email: 'newcomer@waypost.example', password: registered },
  })
  await runJobs(context)
  const links = peer.mails.flatMap(({ text }) => [...text.matchAll(/#([\w-]{43})/g)].map(([, secret = '']) => secret))
  expect(links.length).toBeGreaterThanOrEqual(4)
  for (const link of links) {
    keep(link)
    for (const kind of ['password_resets', 'invitations', 'email_verifications'])
      await api.put(`/${kind}/${link}`, {
        body: { new_password: 'short', username: 'x', real_name: 'X', password: 'short' },
      })
  }

  // File content belongs to its owner; the credentials of the upload must not be stored with it.
  await uploadInChunks(api, TOM, { content: 'Hello' })
  await uploadInChunks(api, { ...TOM, key: key.identifier }, { content: 'World' })

  const dump = `${await dumpDatabase()}${await dumpStore()}`
  expect(dump).toContain('pieces/')
  expect(dump).toContain('"login": "mara"') // The dump is complete.
  const found = [...secrets].flatMap((secret) => spellings(secret).filter((each) => dump.includes(each)))
  expect(found).toEqual([])
  for (const [, hash] of dump.matchAll(/"password_hash": "([^"]*)"/g))
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  for (const [, digest] of dump.matchAll(/"digest": "([^"]*)"/g)) expect(digest).toMatch(/^(\\\\x)?[0-9a-f]{64}$/)
  expect(dump).not.toContain(secretOf(TOM.key_id).toString('hex'))
})

/** All rows of all tables as text, including those of the job engine. */
async function dumpDatabase(): Promise<string> {
  const tables = await sql<{ schema: string; name: string }>`
    select pg_namespace.nspname as schema, pg_class.relname as name
    from pg_class join pg_namespace on pg_namespace.oid = pg_class.relnamespace
    where pg_class.relkind = 'r' and pg_namespace.nspname not in ('pg_catalog', 'information_schema')
      and has_schema_privilege(pg_namespace.oid, 'usage') and has_table_privilege(pg_class.oid, 'select')`.execute(
    context.db,
  )
  expect(tables.rows.length).toBeGreaterThan(20)
  let dump = ''
  for (const { schema, name } of tables.rows) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(each)::text as row from ${sql.table(`${schema}.${name}`)} each`.execute(context.db)
    dump += `${schema}.${name}\n${rows.map(({ row }) => row).join('\n')}\n`
  }
  return dump
}

/** Every file of the store, with its name. */
async function dumpStore(): Promise<string> {
  let dump = ''
  for (const folder of ['pieces', 'content', 'previews'] as const)
    for await (const { key } of context.blobs.list(folder))
      dump += `${key}\n${(await buffer(await context.blobs.get(key))).toString()}\n`
  return dump
}

/** A secret as text and as the bytes that it encodes, in all encodings. */
function spellings(secret: string): string[] {
  const value = secret.split('=').at(-1) ?? secret
  const part = /[0-9a-f]{32,}$/.exec(value)?.[0]
  const bytes =
    part === undefined ? Buffer.from(value, /^[\w-]{43}$/.test(value) ? 'base64url' : 'utf8') : Buffer.from(part, 'hex')
  const written = (['hex', 'base64', 'base64url'] as const).map((each) => bytes.toString(each))
  return [secret, value, part ?? '', ...written].filter((each) => each.length > 8)
}
