import { Client } from 'pg'
import { hashPassword } from '../../server/src/accounts/passwords/password.ts'
import type { Cluster } from './cluster.ts'
import type { HttpConnection } from './http-connection.ts'
import { keyOf } from './keys.ts'

/** Each way to say who one is; what is asked for is as small as can be. */
export const WAYS = ['key', 'token', 'basic'] as const
export type Way = (typeof WAYS)[number]

export const PASSWORD = 'the password of whoever is measured'
const ASKED = '/api/users/self'

/** To the member who is measured. */
export async function givePassword({ ownerUrl, ids }: Pick<Cluster, 'ownerUrl' | 'ids'>): Promise<void> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query('update account set password_hash = $1 where id = $2', [
    await hashPassword(PASSWORD),
    ids.firstPerson,
  ])
  await client.end()
}

export async function createVisitor(connection: HttpConnection, way: Way): Promise<() => Promise<void>> {
  const headers = await credentials(connection, way)
  return async () => {
    const { status, body } = await connection.send('GET', ASKED, headers)
    if (status !== 200 || !body.startsWith('{"id":')) throw new Error(`By ${way}: ${status} ${body}`)
  }
}

async function credentials(connection: HttpConnection, way: Way): Promise<string> {
  const key = `X-Auth-AccessKey: ${keyOf('member')}\r\n`
  if (way === 'key') return key
  const { body: self } = await connection.send('GET', ASKED, key)
  const { username }: { username: string } = JSON.parse(self)
  if (way === 'basic') return `Authorization: Basic ${Buffer.from(`${username}:${PASSWORD}`).toString('base64')}\r\n`
  const { body } = await connection.send('POST', '/api/tokens', '', JSON.stringify({ username, password: PASSWORD }))
  const { user_id, token }: { user_id: number; token: string } = JSON.parse(body)
  return `X-Auth-UserId: ${user_id}\r\nX-Auth-Token: ${token}\r\n`
}
