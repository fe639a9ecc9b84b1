import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Db } from '../../src/platform/database/db.ts'
import type { Context } from '../../src/platform/operation/context.ts'
import { REASONS } from '../../src/platform/words/reasons.ts'
import type { Client, RequestOptions, Response } from '../client.ts'

export type Send = (method: string, path: string, options?: RequestOptions) => Promise<Response>

/** Without the store of files where a server is a process of its own. */
type Digested = Pick<Context, 'db'> & Partial<Pick<Context, 'blobs'>>

/** The server that is attacked, and the database behind it. */
interface Target {
  readonly api: Client
  readonly context: Digested
}

const PATIENCE = 5000 // One second, on a machine of its own; here several test files share two cores.

vi.setConfig({ testTimeout: 30_000 }) // A case on every route is many requests.

/** What no answer says, unless the caller said it first. */
const LEAKS = [
  /\bat [^\n"]*\.[jt]s:\d+/, // a stack
  /\bnode:internal\b|\bnode_modules\b|\bfile:\/\//,
  /\/(?:home|root|usr|var|tmp|work|etc|server\/src)\/\w/, // a path
  /\b(?:select|insert|update|delete)\b[^"]*\b(?:from|into|set|where)\b/i, // SQL
  /syntax error|invalid (?:input|byte)|relation "|violates|duplicate key|pg_\w+/i,
  /postgres|fastify|kysely|typebox|argon2|node\.js|nodejs|\bv24\.|openssl/i,
]

/**
 * Runs a case: every answer must be in time, no failure of ours, and tell nothing of how we are made; and if every
 * write was refused, the database and the store of files are as they were. Reading never writes.
 */
export async function attack<T>({ api, context }: Target, attempt: (send: Send) => Promise<T>): Promise<T> {
  const before = await digestOf(context)
  let isRefused = true
  const result = await attempt(async (method, path, options = {}) => {
    const { answer, took } = await timed(api, method, path, options)
    checkAnswer(answer, `${method} ${path}`, sentBy(path, options))
    expect(took, `${method} ${path.slice(0, 200)} took too long`).toBeLessThan(PATIENCE)
    isRefused &&= answer.status >= 400 || method === 'GET' || method === 'HEAD'
    return answer
  })
  if (isRefused) expect(await digestOf(context)).toEqual(before)
  return result
}

/** One request that is a whole case. */
export function attackOnce(
  world: Target,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  return attack(world, (send) => send(method, path, options))
}

/**
 * How much slower than one that has nothing else to do this machine is just now, at least 1: limits in milliseconds are
 * multiplied by it, so that only what is slow by itself is found.
 */
export async function slownessOf(api: Client): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 15; round++) times.push((await timed(api, 'GET', '/version', {})).took)
  const [, , , , , , , median = 1] = times.toSorted((one, other) => one - other)
  return Math.max(1, median / USUAL)
}

const USUAL = 1.5

async function timed(api: Client, method: string, path: string, options: RequestOptions) {
  const began = performance.now()
  const answer = await api.request(method, path, options)
  return { answer, took: performance.now() - began }
}

/** What must hold of every answer. `sent` may come back: a caller learns nothing from his own words. */
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
  // A list may come back in pieces, each of them in quotes of its own.
  const unquoted = text.replaceAll(/`([^`]+)`/g, (whole, quoted: string) =>
    said.includes(quoted.toLowerCase()) ? '' : whole,
  )
  const told = `${JSON.stringify(headers)}\n${unquoted}`
  for (const leak of LEAKS) {
    const [found] = leak.exec(told) ?? []
    if (found !== undefined && !said.includes(found.toLowerCase())) expect.unreachable(`${where} tells ${found}`)
  }
}

/** The one shape of every error, in JSON or XML. */
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

/** The status; of a plan that lists errors, the one that the write itself would have. */
export function statusOf({ status, text }: Pick<Response, 'status' | 'text'>): number {
  const isPlan = status === 200 && text.startsWith('{"changes":')
  return isPlan && JSON.parse(text).errors.length > 0 ? 400 : status
}

/** Status, body and headers but for what names this one request: what may not be told apart is equal here. */
export function comparable({ status, headers, text }: Response): string {
  const kept = Object.entries<IncomingHttpHeaders[string]>(headers).filter(
    ([name]) => !['date', 'x-request-id', 'content-length'].includes(name),
  )
  return `${status} ${JSON.stringify(kept)} ${text.replaceAll(/"request_id":"[^"]*"|<request_id>[^<]*/g, '')}`
}

/** The same, with another number in the place of this one: an answer about nothing must be equal to it. */
export function comparableAs(answer: Response, id: number, other: number): string {
  return comparable(answer).replaceAll(String(id), String(other))
}

// What a refused request may leave behind: when a credential was last used, that it is over, how often somebody guessed.
const LEFT_OUT: Record<string, readonly string[]> = {
  access_key: ['last_used_on', 'last_used_by', 'is_over'],
  session: ['last_used_on'],
  token: ['is_over'],
}
const GROWS = ['sign_in_failure']

/** A digest of each table, by its name, and the store of files. The audit log may grow by refusals, and by who reads it. */
export async function digestOf({ db, blobs }: Digested): Promise<Record<string, string>> {
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

/** What lies in the store of files, by name and size: a content has the name of its bytes. */
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
