import type { RepeatableRandom } from '../fuzz/random.ts'
import type { OracleApi, OracleReply } from './api.ts'
import type { OracleField, OracleWorld } from './model.ts'
import { answerQuestion, type OracleAnswer, type OracleQuestion } from './oracle.ts'
import { printOracleQuery, type PrintedQuery } from './print-query.ts'
import type { OracleQuery } from './query.ts'
import { readsField } from './visibility.ts'

const MAX_PAGES = 4
/** Longer lists are only sometimes read again along links. */
const MAX_IDS_READ_OFTEN = 200
const DEFAULT_LIMIT = 100

/** Compares the server with the oracle in several ways. Undefined: all agree. */
export async function askServer(
  api: OracleApi,
  world: OracleWorld,
  question: OracleQuestion,
  random: RepeatableRandom,
  expected: OracleAnswer = answerQuestion(world, question),
): Promise<string | undefined> {
  const request = printOracleQuery(question.query)
  if ('refusals' in expected) return askRefused(api, world, question, request, expected.refusals)
  return (
    (await askPages(api, question, request, expected, random)) ??
    (await askAlongLinks(api, question, request, expected, random)) ??
    (random.chance(0.05) ? await askWhole(api, question, request, expected) : undefined)
  )
}

async function askRefused(
  api: OracleApi,
  world: OracleWorld,
  question: OracleQuestion,
  request: PrintedQuery,
  refusals: readonly { readonly reason: string; readonly cause?: string }[],
): Promise<string | undefined> {
  const reply = await get(api, question, request, [])
  const status = { not_found: 404, authentication_required: 401 }[refusals[0]?.reason ?? ''] ?? 400
  const expectedRefusals = refusals.map(({ reason, cause }) => `${reason}${cause ? ` (${cause})` : ''}`).join(', ')
  if (reply.status !== status)
    return `refused for ${expectedRefusals}, but the status is ${reply.status}: ${start(reply.text)}`
  const { reason, details } = reply.json.error
  const isExpected = refusals.some((each) => each.reason === reason && (!each.cause || each.cause === details?.cause))
  return isExpected
    ? askUnknown(api, world, question, reply)
    : `refused for ${expectedRefusals}, but the reason is ${start(reply.text)}`
}

/** An unreadable field gives the same response as an unknown one, except for its name. */
async function askUnknown(
  api: OracleApi,
  world: OracleWorld,
  question: OracleQuestion,
  reply: OracleReply,
): Promise<string | undefined> {
  const { reason, details } = reply.json.error
  if (reason !== 'query_unknown_key' || details?.cause !== 'field') return undefined
  for (const { name } of hiddenFields(world, question)) {
    if (!JSON.stringify(question.query).includes(`"${name}"`)) continue
    const other = `${name.slice(0, -1)}${name.endsWith('x') ? 'y' : 'x'}`
    const text = JSON.stringify(question.query).replaceAll(`"${name}"`, `"${other}"`)
    const renamed: OracleQuery = JSON.parse(text)
    const second = await get(api, question, printOracleQuery(renamed), [])
    const same = withoutRequestId(second.text).replaceAll(other, name)
    if (same !== withoutRequestId(reply.text))
      return `${name} is refused otherwise than ${other}: ${reply.text} and ${second.text}`
  }
  return undefined
}

/** Fields that the viewer may read in no tracker, because names may occur in link conditions too. */
function hiddenFields({ trackers }: OracleWorld, { viewer }: OracleQuestion): readonly OracleField[] {
  const fields = trackers.flatMap((tracker) => tracker.fields)
  const read = new Set(fields.filter((field) => readsField(viewer, field)).map(({ name }) => name))
  return fields.filter(({ name }) => !read.has(name))
}

const withoutRequestId = (text: string) => text.replaceAll(/"request_id":\s*"[^"]*"/g, '""')

/** Reads every page by offset. */
async function askPages(
  api: OracleApi,
  question: OracleQuestion,
  request: PrintedQuery,
  { ids, ignored }: Extract<OracleAnswer, { ids: unknown }>,
  random: RepeatableRandom,
): Promise<string | undefined> {
  const limit = someLimit(random, ids.length)
  const found: number[] = []
  for (let offset = 0; offset === 0 || offset < ids.length; offset += limit ?? DEFAULT_LIMIT) {
    const page = [
      ...(limit === undefined ? [] : [['limit', String(limit)] as const]),
      ['offset', String(offset)] as const,
    ]
    const reply = await get(api, question, request, page)
    if (reply.status !== 200) return `the status is ${reply.status}: ${start(reply.text)}`
    const shown = idsIn(reply)
    found.push(...shown)
    const rest = Math.max(0, ids.length - offset)
    const fault =
      difference('size', header(reply, 'x-pagination-size'), ids.length) ??
      difference('limit', header(reply, 'x-pagination-limit'), limit ?? DEFAULT_LIMIT) ??
      difference('offset', header(reply, 'x-pagination-offset'), offset) ??
      difference('rows of a page', shown.length, Math.min(limit ?? DEFAULT_LIMIT, rest)) ??
      difference('ignored', String(reply.headers['x-criteria-ignored'] ?? ''), ignored.join(','))
    if (fault) return `${fault} at offset ${offset}, limit ${limit}; ${differences(found, ids)}`
    if (limit === 0) return undefined
  }
  return isSame(found, ids) ? undefined : `limit ${limit}: ${differences(found, ids)}`
}

/** Reads the whole list again along `Link: rel="next"`. */
async function askAlongLinks(
  api: OracleApi,
  question: OracleQuestion,
  request: PrintedQuery,
  { ids }: Extract<OracleAnswer, { ids: unknown }>,
  random: RepeatableRandom,
): Promise<string | undefined> {
  if (ids.length === 0 || !random.chance(ids.length > MAX_IDS_READ_OFTEN ? 0.15 : 0.6)) return undefined
  const limit = Math.max(1, someLimit(random, ids.length) ?? DEFAULT_LIMIT)
  const found: number[] = []
  let reply = await get(api, question, request, [['limit', String(limit)]])
  for (;;) {
    if (reply.status !== 200) return `a link leads to status ${reply.status}: ${start(reply.text)}`
    const shown = idsIn(reply)
    found.push(...shown)
    const next = /<([^>]+)>; rel="next"/.exec(String(reply.headers['link'] ?? ''))?.[1]
    const fault = difference('size on the way', header(reply, 'x-pagination-size'), ids.length)
    if (fault) return `${fault}; limit ${limit}`
    if (next === undefined) break
    if (shown.length !== limit) return `a page in the middle has ${shown.length} rows, and not ${limit}`
    if (found.length >= ids.length) return `there is a page behind the last one; limit ${limit}; ${next}`
    const { viewer } = question
    reply = await api.send('GET', next, { as: viewer.login, ...(request.body && { body: request.body }) })
  }
  return isSame(found, ids) ? undefined : `along links of limit ${limit}: ${differences(found, ids)}`
}

/** Reads everything in one stream of lines. */
async function askWhole(
  api: OracleApi,
  question: OracleQuestion,
  request: PrintedQuery,
  { ids }: Extract<OracleAnswer, { ids: unknown }>,
): Promise<string | undefined> {
  const reply = await get(api, question, request, [], '.ndjson')
  if (reply.status !== 200) return `the status of the export is ${reply.status}: ${start(reply.text)}`
  const lines = reply.text.split('\n').filter((line) => line !== '')
  const found = lines.map((line): number => JSON.parse(line).id)
  const fault = difference('size of the export', header(reply, 'x-pagination-size'), ids.length)
  return fault ?? (isSame(found, ids) ? undefined : `exported: ${differences(found, ids)}`)
}

function get(
  api: OracleApi,
  { tracker, viewer }: OracleQuestion,
  { parameters, body }: PrintedQuery,
  page: PrintedQuery['parameters'],
  suffix = '',
): Promise<OracleReply> {
  const query = new URLSearchParams({ fields: 'id' })
  for (const [name, value] of [...parameters, ...page]) query.append(name, value)
  const path = `/trackers/${tracker.id}/artifacts${suffix}?${query.toString()}`
  return api.send('GET', path, { as: viewer.login, ...(body !== undefined && { body }) })
}

/** A limit that gives a few pages, the last mostly not full. Undefined: no limit. */
function someLimit(random: RepeatableRandom, size: number): number | undefined {
  if (size <= DEFAULT_LIMIT * MAX_PAGES && random.chance(0.1)) return undefined
  if (random.chance(0.02)) return 0
  return Math.min(1000, random.integer(Math.max(1, Math.ceil(size / MAX_PAGES)), size + 3))
}

function idsIn({ json }: OracleReply): number[] {
  const rows: readonly { id: number }[] = json
  return rows.map(({ id }) => id)
}

const header = ({ headers }: OracleReply, name: string) => Number(headers[name])
const start = (text: string) => text.slice(0, 600)
const isSame = (one: readonly number[], other: readonly number[]) => one.join() === other.join()

function difference(what: string, found: string | number, expected: string | number): string | undefined {
  return found === expected ? undefined : `${what}: ${found}, and not ${expected}`
}

function differences(found: readonly number[], expected: readonly number[]): string {
  const [have, want] = [new Set(found), new Set(expected)]
  const [more, missing] = [found.filter((id) => !want.has(id)), expected.filter((id) => !have.has(id))]
  const at = expected.findIndex((id, place) => found[place] !== id)
  return `${found.length} rows, and not ${expected.length}; too many: ${some(more)}; missing: ${some(missing)}; from place ${at}: ${some(found.slice(at, at + 8))}, and not ${some(expected.slice(at, at + 8))}`
}

const some = (ids: readonly number[]) => (ids.length > 8 ? `${ids.slice(0, 8).join()}…` : ids.join()) || 'none'
