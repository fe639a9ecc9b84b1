import { sql } from 'kysely'
import type { Db } from '../../../src/platform/database/db.ts'
import { MARA, TOM } from '../../fixtures/people.ts'
import { type TimingPair, rawRequest } from './timing-comparison.ts'

const WRONG = 'not the password of anybody'

/** Pairs of requests that must take equally long for right and wrong guesses. */
export function timingCases(db: Db): TimingPair[] {
  const withKey = (key: string) => rawRequest('GET', '/projects', { 'x-auth-accesskey': key })
  const forget = { every: 4, work: () => sql`delete from sign_in_failure`.execute(db) }
  const page = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
  return [
    {
      name: 'A02 the first byte of a secret is wrong, or the last',
      one: withKey(altered(TOM.key, -64)),
      other: withKey(altered(TOM.key, -1)),
      status: 401,
    },
    {
      name: 'A03 nobody has this key, or its secret is wrong',
      one: withKey(TOM.key.replace(`-${TOM.key_id}.`, '-4999.')),
      other: withKey(altered(TOM.key, -1)),
      status: 401,
    },
    {
      name: 'A15/session nobody has this login, or the password is wrong',
      one: rawRequest('POST', '/session', page, { username: 'nobo', password: WRONG }),
      other: rawRequest('POST', '/session', page, { username: MARA.login, password: WRONG }),
      status: 401,
      between: forget,
    },
    {
      name: 'A15/reset nobody has this login, or somebody has',
      one: rawRequest('POST', '/password_resets', {}, { login: 'nobo' }),
      other: rawRequest('POST', '/password_resets', {}, { login: MARA.login }),
      status: 202,
      between: { every: 500, work: () => sql`truncate job, audit, graphile_worker._private_jobs cascade`.execute(db) },
    },
  ]
}

/** The same text with another hexadecimal digit at that position, counted from the end. */
function altered(key: string, at: number): string {
  const index = key.length + at
  return `${key.slice(0, index)}${key[index] === '0' ? '1' : '0'}${key.slice(index + 1)}`
}
