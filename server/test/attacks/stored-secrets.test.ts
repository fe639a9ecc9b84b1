import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { upload } from '../attaching.ts'
import { basic, type Response } from '../client.ts'
import { startWorld } from '../harness.ts'
import { startMailPeer } from '../mail-peer.ts'
import { cookieIn, OWN_PAGE, signInOnPage } from '../own-page.ts'
import { ADA, MARA, PASSWORD, PEOPLE, SAM, secretOf, TOM } from '../people.ts'
import { runJobs } from '../run-jobs.ts'

const peer = await startMailPeer()
const { api, context } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })

test('A04 a dump of the database and of the store of files holds no secret that anybody was ever given or gave', async () => {
  const secrets = new Set<string>(PEOPLE.map(({ key }) => key))
  const keep = (secret: string) => void secrets.add(secret)
  const right = ({ status, text, json }: Response) => {
    expect(status, text).toBeLessThan(300)
    return json
  }

  // Keys, tokens, sessions and passwords, right and wrong, in every place where one can be put.
  const key = right(
    await api.post('/access_keys', { as: TOM, body: { description: 'nightly' }, headers: { 'idempotency-key': 'a' } }),
  )
  keep(key.identifier)
  await api.post('/access_keys', { as: TOM, body: { description: 'nightly' }, headers: { 'idempotency-key': 'a' } })
  keep(right(await api.post('/tokens', { body: { username: TOM.login, password: PASSWORD } })).token)
  const page = await signInOnPage(api, MARA)
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
    await api.post('/session', { headers: OWN_PAGE, body: { username: typed, password: typed } })
    await api.get('/users/self', { headers: basic({ login: typed }, typed) })
    await api.get('/users/self', { headers: basic(SAM, typed) })
    await api.get('/users/self', { headers: basic(TOM, MARA.key) }) // A key of one with the login of another.
  }
  for (const header of ['x-auth-accesskey', 'cookie', 'authorization']) {
    keep(`refused-${header}-8d8d`)
    await api.get('/users/self', { headers: { ...OWN_PAGE, [header]: `refused-${header}-8d8d` } })
  }

  // Mailed links: sent, used, refused.
  await api.patch('/settings', { as: ADA, body: { registration: 'open' } })
  await api.post('/password_resets', { body: { login: TOM.login } })
  await api.post('/password_resets', { body: { login: 'a password typed here 77cc' } })
  await api.post('/invitations', { as: MARA, body: { emails: ['guest@waypost.example'], custom_message: 'Join us' } })
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

  // Files: what they hold is their owner's business; that somebody sent it with a secret is not written beside it.
  await upload(api, TOM, { content: 'Hello' })
  await upload(api, { ...TOM, key: key.identifier }, { content: 'World' })

  const dump = `${await dumpDatabase()}${await dumpStore()}`
  expect(dump).toContain('pieces/')
  expect(dump).toContain('"login": "mara"') // It is the whole of it.
  const found = [...secrets].flatMap((secret) => spellings(secret).filter((each) => dump.includes(each)))
  expect(found).toEqual([])
  for (const [, hash] of dump.matchAll(/"password_hash": "([^"]*)"/g))
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  for (const [, digest] of dump.matchAll(/"digest": "([^"]*)"/g)) expect(digest).toMatch(/^(\\\\x)?[0-9a-f]{64}$/)
  expect(dump).not.toContain(secretOf(TOM.key_id).toString('hex'))
})

/** Every row of every table, those of the job engine among them, as text. */
async function dumpDatabase(): Promise<string> {
  const tables = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
      and has_table_privilege(format('%I.%I', table_schema, table_name), 'select')`.execute(context.db)
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

/** A secret as it is written, and as the bytes that it stands for, in whatever way those could be written. */
function spellings(secret: string): string[] {
  const value = secret.split('=').at(-1) ?? secret
  const part = /[0-9a-f]{32,}$/.exec(value)?.[0]
  const bytes =
    part === undefined ? Buffer.from(value, /^[\w-]{43}$/.test(value) ? 'base64url' : 'utf8') : Buffer.from(part, 'hex')
  const written = (['hex', 'base64', 'base64url'] as const).map((each) => bytes.toString(each))
  return [secret, value, part ?? '', ...written].filter((each) => each.length > 8)
}
