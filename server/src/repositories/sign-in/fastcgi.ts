import type { Duplex } from 'node:stream'

/** The parameters of one request; an authorizer receives no body. */
export type Parameters = ReadonlyMap<string, string>

const HEADER_BYTES = 8
const VERSION = 1
const AUTHORIZER = 2
const TYPE = { begin: 1, end: 3, params: 4, stdout: 6 } as const
const MAX_RECORD_BYTES = 65_535
/** Limit for all records of one request; bounds the memory per connection. */
const MAX_REQUEST_BYTES = 256 * 1024
const MAX_PARAMETERS = 1000
/** Apache sends the request right after it connects. */
const REQUEST_TIMEOUT_MS = 5_000
/** Until the response is sent and the peer has closed. */
const RESPONSE_TIMEOUT_MS = 30_000

/** Thrown for bytes that are not a valid request. Closes only this connection. */
class MalformedRequest extends Error {}

/**
 * The FastCGI subset that Apache uses with an authorizer: one request per connection, parameters in, headers and a text
 * out. Anything else closes the connection, and so does a rejection of `respond`.
 */
export function serveFastCgi(
  socket: Duplex,
  respond: (parameters: Parameters) => Promise<string>,
  { requestTimeoutMs = REQUEST_TIMEOUT_MS, responseTimeoutMs = RESPONSE_TIMEOUT_MS } = {},
): void {
  const reader = createRequestReader()
  const destroy = () => socket.destroy()
  let isComplete = false
  let timer = setTimeout(destroy, requestTimeoutMs)
  const receive = (chunk: Buffer) => {
    if (isComplete) return // Bytes after the request are dropped.
    const request = reader.push(chunk)
    if (!request) return
    isComplete = true
    clearTimeout(timer)
    timer = setTimeout(destroy, responseTimeoutMs)
    respond(request.parameters).then((text) => void socket.end(renderResponse(request.id, text)), destroy)
  }
  socket.on('error', destroy)
  socket.on('close', () => clearTimeout(timer))
  socket.on('end', () => {
    if (!isComplete) destroy()
  })
  socket.on('data', (chunk: Buffer) => {
    // An exception in an event listener would end the process.
    try {
      receive(chunk)
    } catch {
      destroy()
    }
  })
}

interface FastCgiRequest {
  readonly id: number
  readonly parameters: Parameters
}

/**
 * Collects chunks into a whole request. Each byte is copied a constant number of times, even for tiny chunks; throws
 * `MalformedRequest` as early as possible.
 */
function createRequestReader() {
  let bytes = Buffer.alloc(0)
  let size = 0
  let position = 0
  let id = 0
  const contents: (readonly [start: number, end: number])[] = []

  const append = (chunk: Buffer) => {
    if (size + chunk.length > MAX_REQUEST_BYTES) throw new MalformedRequest('The request is too long.')
    if (size + chunk.length > bytes.length) {
      const grown = Buffer.alloc(Math.min(MAX_REQUEST_BYTES, Math.max(2 * bytes.length, size + chunk.length)))
      bytes.copy(grown, 0, 0, size)
      bytes = grown
    }
    size += chunk.copy(bytes, size)
  }

  return {
    push(chunk: Buffer): FastCgiRequest | undefined {
      append(chunk)
      while (size - position >= HEADER_BYTES) {
        const type = bytes.readUInt8(position + 1)
        const requestId = bytes.readUInt16BE(position + 2)
        const length = bytes.readUInt16BE(position + 4)
        const start = position + HEADER_BYTES
        const expected = id === 0 ? TYPE.begin : TYPE.params
        if (bytes.readUInt8(position) !== VERSION || type !== expected || requestId === 0 || (id && requestId !== id))
          throw new MalformedRequest('A record is out of order.')
        if (type === TYPE.begin && length !== HEADER_BYTES) throw new MalformedRequest('The first record is too short.')
        const end = start + length
        const next = end + bytes.readUInt8(position + 6)
        if (next > size) return undefined
        position = next
        if (type === TYPE.begin) {
          if (bytes.readUInt16BE(start) !== AUTHORIZER) throw new MalformedRequest('This is an authorizer.')
          id = requestId
        } else if (length > 0) contents.push([start, end])
        else
          return {
            id,
            parameters: parseParameters(Buffer.concat(contents.map(([from, to]) => bytes.subarray(from, to)))),
          }
      }
      return undefined
    },
  }
}

/** Name-value pairs, each preceded by its lengths: one byte, or four with the high bit set. */
function parseParameters(bytes: Buffer): Parameters {
  const found = new Map<string, string>()
  let position = 0
  let count = 0
  const readLength = () => {
    if (position >= bytes.length) throw new MalformedRequest('A length is missing.')
    const first = bytes.readUInt8(position)
    if (first < 128) {
      position += 1
      return first
    }
    if (position + 4 > bytes.length) throw new MalformedRequest('A length is cut off.')
    position += 4
    return bytes.readUInt32BE(position - 4) - 0x80_00_00_00
  }
  const readText = (length: number) => {
    if (position + length > bytes.length) throw new MalformedRequest('A parameter is longer than all of them.')
    const text = bytes.toString('utf8', position, position + length)
    // Apache's strings have no NUL, and PostgreSQL refuses it.
    if (text.includes('\0')) throw new MalformedRequest('A parameter has a NUL.')
    position += length
    return text
  }
  while (position < bytes.length) {
    const [nameLength, valueLength] = [readLength(), readLength()]
    const name = readText(nameLength)
    if (++count > MAX_PARAMETERS) throw new MalformedRequest('Too many parameters.')
    found.set(name, readText(valueLength))
  }
  return found
}

function renderResponse(id: number, text: string): Buffer {
  const content = Buffer.from(text).subarray(0, MAX_RECORD_BYTES)
  return Buffer.concat([
    renderRecord(TYPE.stdout, id, content),
    renderRecord(TYPE.stdout, id, Buffer.alloc(0)),
    renderRecord(TYPE.end, id, Buffer.alloc(8)),
  ])
}

function renderRecord(type: number, id: number, content: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt8(VERSION, 0)
  header.writeUInt8(type, 1)
  header.writeUInt16BE(id, 2)
  header.writeUInt16BE(content.length, 4)
  return Buffer.concat([header, content])
}
