import { sql } from 'kysely'
import type { Db } from '../../src/platform/database/db.ts'
import {
  BUDGET_CANARY,
  COMMENT_CANARY,
  foreignCanaries,
  HIDDEN_CANARY,
  LEDGER_CANARY,
  PLATFORM_CANARY,
  QUARRY_CANARY,
  VAULT_CANARY,
} from '../canaries.ts'
import { OLGA, PEOPLE, type Person, PIA } from '../people.ts'
import { LEADS, ORCHARD, QUARRY, VAULT } from '../places.ts'
import { escape, type WireRequest } from './draft.ts'

/** What no refusal says: where our code is, how it works, what the database said. */
const INSIDES = [
  /\bat (?:async )?[\w.<>[\] ]+ \(?(?:file:|node:|\/)\S*:\d+:\d+/,
  /\.ts:\d+/,
  /node_modules/,
  /(?<![\w.])\/(?:home|root|work|usr|var|tmp|etc|proc)\/[\w.-]+/,
  /\bselect [\w*., ]+ from\b/i,
  /\b(?:insert into|delete from|drop table|update \w+ set)\b/i,
  /violates [\w-]+ constraint|syntax error at or near|relation "|invalid input syntax|out of range for type/i,
  /\b(?:TypeError|RangeError|ReferenceError|SyntaxError|DatabaseError|ECONN[A-Z]+|ERR_[A-Z_]+)\b/,
  /Cannot read propert|is not a function|undefined/,
  /\[object \w+\]/,
]

/** What the caller has sent may come back to him. */
export function leaksIn(text: string, request: WireRequest): string[] {
  const sent = sentBy(request)
  return INSIDES.flatMap((pattern) => {
    const [found] = pattern.exec(text) ?? []
    return found === undefined || sent.includes(found) ? [] : [`the error tells of our insides: ${found}`]
  })
}

/**
 * Secrets in an answer whose reader may not have them. Requests may have given rights since the world was seeded: so
 * the database is asked whether this reader may have them by now.
 */
export async function secretsIn(
  bytes: string,
  { reader, request, db }: { reader: Person | undefined; request: WireRequest; db: Db },
): Promise<string[]> {
  // Somebody who was made on the way is a stranger, like Olga.
  const found = foreignCanaries(bytes, reader && (PEOPLE.includes(reader) ? reader : OLGA))
  if (found.length === 0) return []
  const sent = sentBy(request)
  const foreign = []
  for (const text of found) if (!sent.includes(text) && !(await mayKnow(db, reader, text))) foreign.push(text)
  return foreign.map((text) => `${reader?.login ?? 'an anonymous caller'} was told the secret ${text}`)
}

const administering = sql`
  select from project_member where account_id = account.id and project_id = ${ORCHARD} and is_admin`

/** Of an artifact. What has been made on the way may be a copy, for others, by somebody who could read it. */
const FIRST_MADE = 15_000

async function mayKnow(db: Db, reader: Person | undefined, canary: string): Promise<boolean> {
  if (canary === PIA.real_name) {
    const pia = await db.selectFrom('account').select('status').where('id', '=', PIA.id).executeTakeFirst()
    if (pia?.status !== 'P') return true
  }
  if (!reader) return false
  const { rows } = await sql<{
    is_site_admin: boolean
    is_restricted: boolean
    in_vault: boolean
    in_quarry: boolean
    leads_orchard: boolean
    administers_orchard: boolean
    is_out: boolean
  }>`
    select is_site_admin, status = 'R' as is_restricted,
      exists (select from project_member where account_id = account.id and project_id = ${VAULT}) as in_vault,
      exists (select from project_member where account_id = account.id and project_id = ${QUARRY}) as in_quarry,
      exists (select from user_group_member where account_id = account.id and user_group_id = ${LEADS})
        or exists (${administering}) as leads_orchard,
      exists (${administering}) as administers_orchard,
      exists (select from artifact where id >= ${FIRST_MADE} and strpos(field_values::text, ${canary}) > 0) as is_out
    from account where id = ${reader.id}`.execute(db)
  const [now] = rows
  if (!now) return false
  if (now.is_site_admin || now.is_out) return true
  if (canary === VAULT_CANARY) return now.in_vault
  if (canary === QUARRY_CANARY) return now.in_quarry
  if ([LEDGER_CANARY, BUDGET_CANARY, COMMENT_CANARY].includes(canary)) return now.leads_orchard
  if (canary === HIDDEN_CANARY) return now.administers_orchard
  if (canary === PLATFORM_CANARY) return false
  return canary.includes('@') && !now.is_restricted
}

function sentBy({ path, headers, body }: WireRequest): string {
  return [
    path,
    unescaped(path),
    JSON.stringify(headers),
    body?.toString() ?? '',
    unescaped(body?.toString() ?? ''),
  ].join('\n')
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return escape(text)
  }
}
