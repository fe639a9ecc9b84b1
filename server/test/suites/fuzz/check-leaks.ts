import { sql } from 'kysely'
import type { Db } from '../../../src/platform/database/db.ts'
import {
  BUDGET_CANARY,
  COMMENT_CANARY,
  foreignCanaries,
  HIDDEN_CANARY,
  LEDGER_CANARY,
  PLATFORM_CANARY,
  QUARRY_CANARY,
  VAULT_CANARY,
} from '../../fixtures/canaries.ts'
import { OLGA, ALL_PEOPLE, type TestPerson, PIA } from '../../fixtures/people.ts'
import { LEADS, ORCHARD, QUARRY, VAULT } from '../../fixtures/seed-ids.ts'
import { percentEncode, type WireRequest } from './draft.ts'

/** Internals that no error may contain: code paths, stack traces, database messages. */
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

/** Input of the caller may be echoed. */
export function leaksIn(text: string, request: WireRequest): string[] {
  const sent = sentBy(request)
  return INSIDES.flatMap((pattern) => {
    const [found] = pattern.exec(text) ?? []
    return found === undefined || sent.includes(found) ? [] : [`the error tells of our insides: ${found}`]
  })
}

/**
 * Secrets in a response that its reader may not have. Earlier requests may have granted permissions, so the database is
 * queried for the current ones.
 */
export async function secretsIn(
  bytes: string,
  { reader, request, db }: { reader: TestPerson | undefined; request: WireRequest; db: Db },
): Promise<string[]> {
  // An account that was created during the run counts as a stranger, like Olga.
  const found = foreignCanaries(bytes, reader && (ALL_PEOPLE.includes(reader) ? reader : OLGA))
  if (found.length === 0) return []
  const sent = sentBy(request)
  const foreign = []
  for (const text of found) if (!sent.includes(text) && !(await mayKnow(db, reader, text))) foreign.push(text)
  return foreign.map((text) => `${reader?.login ?? 'an anonymous caller'} was told the secret ${text}`)
}

const administering = sql`
  select from project_member where account_id = account.id and project_id = ${ORCHARD} and is_admin`

/** The first artifact id after the seed. Artifacts made during the run may be copies by a permitted reader. */
const FIRST_MADE = 15_000

async function mayKnow(db: Db, reader: TestPerson | undefined, canary: string): Promise<boolean> {
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
    return percentEncode(text)
  }
}
