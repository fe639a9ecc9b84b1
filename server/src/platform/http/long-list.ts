import { mapInSlices } from '../operation/slices.ts'
import { maxBytesTooSmall } from '../wire/max-bytes.ts'
import { stringifier } from '../wire/stringify.ts'
import { XML_LIST_END, XML_LIST_START, writeXml, writeXmlItem } from '../wire/xml.ts'
import type { Pagination } from './pages.ts'
import type { AnswerFormat } from './request-state.ts'
import type { Route } from './route.ts'
import type { RouteReply } from './route-call.ts'
import { chooseElement, requireReadableFields, selectableSchema, type Sparse } from './sparse-answer.ts'

/** Shorter lists are serialized at once. */
const MIN_LONG_LIST = 50
const CHUNK_CHARACTERS = 128 * 1024

interface LongListReply extends RouteReply<unknown> {
  readonly body: readonly unknown[]
}

/** Lists that have no version, whose ETag would need the whole text. */
export function isLongList(route: Route, reply: RouteReply<unknown>): reply is LongListReply {
  const { body, version } = reply
  return Array.isArray(body) && body.length >= MIN_LONG_LIST && !version && isPlainList(route)
}

/** The list is the whole body. */
export function isPlainList(route: Route): boolean {
  if (!route.answer) return false
  const { isList, member } = selectableSchema(route)
  return isList && member === undefined
}

/** Serializes elements one by one; each buffer is an element in the requested format. */
export async function printInSlices(
  route: Route,
  elements: readonly unknown[],
  format: AnswerFormat,
): Promise<readonly Buffer[]> {
  const print = printerOf(route)
  return mapInSlices(elements, (element) => {
    const json = print(element)
    return Buffer.from(format === 'xml' ? writeXmlItem(JSON.parse(json)) : json)
  })
}

/** The list of these elements, in chunks. */
export function joinPrinted(printed: readonly Buffer[], format: AnswerFormat): Buffer[] {
  if (format === 'xml')
    return printed.length === 0
      ? [Buffer.from(writeXml([]))]
      : [Buffer.from(XML_LIST_START), ...printed, Buffer.from(XML_LIST_END)]
  const comma = Buffer.from(',')
  const parts = printed.flatMap((each, at) => (at === 0 ? [each] : [comma, each]))
  const chunks = [Buffer.from('['), ...parts, Buffer.from(']')]
  const length = chunks.reduce((sum, each) => sum + each.length, 0)
  // Sent at once, a usual page takes a fifth of the time of its pieces.
  return length <= CHUNK_CHARACTERS ? [Buffer.concat(chunks, length)] : chunks
}

function printerOf(route: Route): (element: unknown) => string {
  return route.answerOptions?.isAlreadyCut ? JSON.stringify : stringifier(selectableSchema(route).schema)
}

interface RenderedList {
  readonly chunks: readonly Buffer[]
  /** With its own next page and limit, if the list was cut to `max_bytes`. */
  readonly found: RouteReply<unknown>
  readonly page: Pagination
}

/** The same bytes as those of a short list, but serialized element by element, which yields to the event loop. */
export async function renderLongList(
  route: Route,
  found: LongListReply,
  page: Pagination,
  sparse: Sparse | undefined,
  format: AnswerFormat,
): Promise<RenderedList> {
  if (sparse) requireReadableFields(sparse, route, found.fieldNames)
  const print = printerOf(route)
  const output = createOutput(format)
  const maximum = sparse?.maximum ?? Number.POSITIVE_INFINITY
  let bytes = '[]'.length
  let fitting = 0
  await mapInSlices(found.body, (element) => {
    // Elements beyond the maximum are not printed, unless the error needs their size.
    if (bytes > maximum && found.placeAt) return
    const printed = print(element)
    const text = sparse ? JSON.stringify(chooseElement(sparse, route, JSON.parse(printed), found.fieldNames)) : printed
    if (maximum !== Number.POSITIVE_INFINITY) bytes += Buffer.byteLength(text) + (bytes > '[]'.length ? 1 : 0)
    if (bytes > maximum) return
    fitting++
    output.add(text)
  })
  if (bytes <= maximum) return { chunks: output.end(), found, page }
  const next = fitting === 0 ? undefined : found.placeAt?.(fitting - 1)
  // Without a next page the omitted elements would be unreachable.
  if (!next) throw maxBytesTooSmall(bytes)
  return { chunks: output.end(), found: { ...found, next }, page: { ...page, limit: fitting } }
}

/** Collects bytes in chunks: encoding a text of megabytes at once would block the event loop. */
function createOutput(format: AnswerFormat) {
  const isXml = format === 'xml'
  const chunks: Buffer[] = []
  let text = isXml ? XML_LIST_START : '['
  let isFirst = true
  const flush = () => {
    chunks.push(Buffer.from(text))
    text = ''
  }
  return {
    add(json: string): void {
      if (!isXml && !isFirst) text += ','
      text += isXml ? writeXmlItem(JSON.parse(json)) : json
      isFirst = false
      if (text.length > CHUNK_CHARACTERS) flush()
    },
    end(): Buffer[] {
      text += isXml ? XML_LIST_END : ']'
      flush()
      return chunks
    },
  }
}
