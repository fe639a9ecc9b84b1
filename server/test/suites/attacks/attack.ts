import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '../../../src/platform/database/db.ts'
import type { Context } from '../../../src/platform/operation/context.ts'
import { REASONS } from '../../../src/platform/messages/reasons.ts'
import type { TestClient, RequestOptions, Response } from '../../harness/client.ts'

export type AttackSend = (method: string, path: string, options?: RequestOptions) => Promise<Response>

/** `blobs` is absent if the server is a separate process. */
type Digested = Pick<Context, 'db'> & Partial<Pick<Context, 'blobs'>>

/** The attacked server, and its database. */
interface Target {
  readonly api: TestClient
  readonly context: Digested
}

const ANSWER_TIMEOUT_MS = 5000 // One second on an idle machine; here several test files share two cores.

/** Patterns that no response may contain, unless the caller sent them. */
const LEAKS = [
  /\bat [^\n"]*\.[jt]s:\d+/, // a stack
  /\bnode:internal\b|\bnode_modules\b|\bfile:\/\//,
  /\/(?:home|root|usr|var|tmp|work|etc|server\/src)\/\w/, // a path
  /\b(?:select|insert|update|delete)\b[^"]*\b(?:from|into|set|where)\b/i, // SQL
  /syntax error|invalid (?:input|byte)|relation "|violates|duplicate key|pg_\w+/i,
  /postgres|fastify|kysely|typebox|argon2|node\.js|nodejs|\bv24\.|openssl/i,
]

/**
 * Runs a case: every response must be in time, without a 5xx, and without internals; if every write was refused, the
 * database and the file store are unchanged. Reads never write.
 */
export async function attack<T>({ api, context }: Target, attempt: (send: AttackSend) => Promise<T>): Promise<T> {
  const before = await stateDigest(context)
  let isRefused = true
  const result = await attempt(async (method, path, options = {}) => {
    const { answer, took } = await timed(api, method, path, options)
    checkAnswer(answer, `${method} ${path}`, sentBy(path, options))
    expect(took, `${method} ${path.slice(0, 200)} took too long`).toBeLessThan(ANSWER_TIMEOUT_MS)
    isRefused &&= answer.status >= 400 || method === 'GET' || method === 'HEAD'
    return answer
  })
  if (isRefused) expect(await stateDigest(context)).toEqual(before)
  return result
}

/** A case of one request. */
export function attackOnce(
  world: Target,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  return attack(world, (send) => send(method, path, options))
}

/** The slowdown of this machine against an idle one, at least 1: limits in milliseconds are multiplied by it. */
export async function measureSlowdown(api: TestClient): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 15; round++) times.push((await timed(api, 'GET', '/version', {})).took)
  const [, , , , , , , median = 1] = times.toSorted((one, other) => one - other)
  return Math.max(1, median / USUAL_ANSWER_MS)
}

const USUAL_ANSWER_MS = 1.5

async function timed(api: TestClient, method: string, path: string, options: RequestOptions) {
  const began = performance.now()
  const answer = await api.request(method, path, options)
  return { answer, took: performance.now() - began }
}

/** Checks every response. `sent` may be echoed: callers learn nothing from their own input. */
export function checkAnswer(
  { status, headers, text }: Pick<Response, 'status' | 'headers' | 'text'>,
  what: string,
  sent = '',
): void {
  const where = `${what.slice(0, 300)}: ${status} ${text.slice(0, 300)}`
  expect(status, where).toBeLessThan(500)
  expect([headers['server'], headers['x-powered-by']], where).toEqual([undefined, undefined])
  if (status < 400) return
  if (text !== '') checkError(status, text, where)
  const said = sent.toLowerCase()
  // A list may come back in several quoted parts.
  const unquoted = text.replaceAll(/`([^`]+)`/g, (whole, quoted: string) =>
    said.includes(quoted.toLowerCase()) ? '' : whole,
  )
  const searched = `${JSON.stringify(headers)}\n${unquoted}`
  for (const leak of LEAKS) {
    const [found] = leak.exec(searched) ?? []
    if (found !== undefined && !said.includes(found.toLowerCase())) expect.unreachable(`${where} tells ${found}`)
  }
}

/** The common error format, in JSON or XML. */
function checkError(status: number, text: string, where: string): void {
  const [code, reason] = text.startsWith('<')
    ? [Number(/<code>(\d+)</.exec(text)?.[1]), /<reason>(\w+)</.exec(text)?.[1]]
    : [JSON.parse(text).error?.code, JSON.parse(text).error?.reason]
  expect({ code, isKnown: String(reason) in REASONS }, where).toEqual({ code: status, isKnown: true })
}

function sentBy(path: string, { body, headers }: RequestOptions): string {
  const texts = [path, attemptDecode(path), typeof body === 'string' ? body : JSON.stringify(body), headers]
  return texts.map((each) => (typeof each === 'string' ? each : JSON.stringify(each ?? ''))).join('\n')
}

function attemptDecode(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll('+', ' '))
  } catch {
    return path
  }
}

/** The status; for a dry run that lists errors, the status of the actual write. */
export function effectiveStatus({ status, text }: Pick<Response, 'status' | 'text'>): number {
  const isPlan = status === 200 && text.startsWith('{"changes":')
  return isPlan && JSON.parse(text).errors.length > 0 ? 400 : status
}

/** Status, body and headers without request-specific parts; indistinguishable responses are equal here. */
export function comparable({ status, headers, text }: Response): string {
  const kept = Object.entries<IncomingHttpHeaders[string]>(headers).filter(
    ([name]) => !['date', 'x-request-id', 'content-length'].includes(name),
  )
  return `${status} ${JSON.stringify(kept)} ${text.replaceAll(/"request_id":"[^"]*"|<request_id>[^<]*/g, '')}`
}

/** The same with one id replaced: a response about an absent object must equal it. */
export function comparableAs(answer: Response, id: number, other: number): string {
  return comparable(answer).replaceAll(String(id), String(other))
}

// Columns that a refused request may change: last use and expiry of a credential, failed sign-ins. A reader of the feed
// assigns positions to events that have none.
const LEFT_OUT: Record<string, readonly string[]> = {
  access_key: ['last_used_on', 'last_used_by', 'is_over'],
  session: ['last_used_on'],
  token: ['is_over'],
}
const GROWS = ['sign_in_failure', 'known_origin', 'event_position', 'feed_sequence']

/** A digest per table, and of the file store. The audit log may grow by refusals and audited reads. */
export async function stateDigest({ db, blobs }: Digested): Promise<Record<string, string>> {
  const names = await tablesOf(db)
  const parts = names.map(
    (name) => sql`
      select ${name} as name, md5(coalesce(string_agg(content, '|' order by content), '')) as digest
      from (select (to_jsonb(each) - ${LEFT_OUT[name] ?? []}::text[])::text as content from ${sql.table(name)} each
        ${name === 'audit' ? sql`where each.outcome <> 'refused' and each.action <> 'audit.read'` : sql``}) rows`,
  )
  const { rows } = await sql<{ name: string; digest: string }>`${sql.join(parts, sql` union all `)}`.execute(db)
  return {
    ...Object.fromEntries(rows.map(({ name, digest }) => [name, digest])),
    ...(blobs && { files: await storedIn(blobs) }),
  }
}

/** The content of the file store by name and size; names are content hashes. */
async function storedIn(blobs: Context['blobs']): Promise<string> {
  const found: string[] = []
  for (const folder of ['pieces', 'content'] as const)
    for await (const { key, size } of blobs.list(folder)) found.push(`${key} ${size}`)
  return found.toSorted().join('\n')
}

const tables = new WeakMap<Db, readonly string[]>()

async function tablesOf(db: Db): Promise<readonly string[]> {
  const known = tables.get(db)
  if (known) return known
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and not relname = any(${GROWS}) order by relname`.execute(
    db,
  )
  const names = rows.map(({ name }) => name)
  tables.set(db, names)
  return names
}
