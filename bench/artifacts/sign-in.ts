import { Client } from 'pg'
import { hashPassword } from '../../server/src/accounts/passwords/password.ts'
import type { Cluster } from './cluster.ts'
import type { HttpConnection } from './http-connection.ts'
import { benchAccessKey } from './keys.ts'

/** The authentication methods, measured with a minimal request. */
export const SIGN_IN_METHODS = ['key', 'token', 'basic'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

export const BENCH_PASSWORD = 'the password of the benchmark account'
const REQUESTED_PATH = '/api/users/self'

/** Sets a password for the measured member. */
export async function givePassword({ ownerUrl, ids }: Pick<Cluster, 'ownerUrl' | 'ids'>): Promise<void> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query('update account set password_hash = $1 where id = $2', [
    await hashPassword(BENCH_PASSWORD),
    ids.firstPerson,
  ])
  await client.end()
}

export async function createSignInCaller(connection: HttpConnection, way: SignInMethod): Promise<() => Promise<void>> {
  const headers = await credentials(connection, way)
  return async () => {
    const { status, body } = await connection.send('GET', REQUESTED_PATH, headers)
    if (status !== 200 || !body.startsWith('{"id":')) throw new Error(`By ${way}: ${status} ${body}`)
  }
}

async function credentials(connection: HttpConnection, way: SignInMethod): Promise<string> {
  const key = `X-Auth-AccessKey: ${benchAccessKey('member')}\r\n`
  if (way === 'key') return key
  const { body: self } = await connection.send('GET', REQUESTED_PATH, key)
  const { username }: { username: string } = JSON.parse(self)
  if (way === 'basic')
    return `Authorization: Basic ${Buffer.from(`${username}:${BENCH_PASSWORD}`).toString('base64')}\r\n`
  const { body } = await connection.send(
    'POST',
    '/api/tokens',
    '',
    JSON.stringify({ username, password: BENCH_PASSWORD }),
  )
  const { user_id, token }: { user_id: number; token: string } = JSON.parse(body)
  return `X-Auth-UserId: ${user_id}\r\nX-Auth-Token: ${token}\r\n`
}
