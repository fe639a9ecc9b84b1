import type { Socket } from 'node:net'

/** The parameters of one request, and nothing else: an authorizer is given no body. */
export type Parameters = ReadonlyMap<string, string>

const HEADER = 8
const VERSION = 1
const TYPE = { begin: 1, abort: 2, end: 3, params: 4, stdout: 6 } as const
const MOST_PARAMETERS = 256 * 1024
const LARGEST_RECORD = 65_535
const TIME_LIMIT = 30_000

/**
 * FastCGI as far as Apache speaks it with an authorizer: one request a connection, parameters in, headers and a text out.
 * What has not this form ends the connection.
 */
export function serveFastCgi(socket: Socket, answer: (parameters: Parameters) => Promise<string>): void {
  let received = Buffer.alloc(0)
  let parameters = Buffer.alloc(0)
  let isAnswered = false
  socket.setTimeout(TIME_LIMIT, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (let record = takeRecord(received); record && !isAnswered; record = takeRecord(received)) {
      received = received.subarray(record.length)
      if (record.version !== VERSION || record.type === TYPE.abort) return socket.destroy()
      if (record.type !== TYPE.params) continue
      if (record.content.length > 0) {
        parameters = Buffer.concat([parameters, record.content])
        if (parameters.length > MOST_PARAMETERS) return socket.destroy()
        continue
      }
      isAnswered = true
      const { request } = record
      answer(readParameters(parameters)).then(
        (text) => socket.end(writeAnswer(request, text)),
        () => socket.destroy(),
      )
    }
    return undefined
  })
}

interface FastCgiRecord {
  readonly version: number
  readonly type: number
  readonly request: number
  readonly content: Buffer
  /** Of the whole record. */
  readonly length: number
}

function takeRecord(bytes: Buffer): FastCgiRecord | undefined {
  if (bytes.length < HEADER) return undefined
  const size = bytes.readUInt16BE(4)
  const length = HEADER + size + bytes.readUInt8(6)
  if (bytes.length < length) return undefined
  return {
    version: bytes.readUInt8(0),
    type: bytes.readUInt8(1),
    request: bytes.readUInt16BE(2),
    content: bytes.subarray(HEADER, HEADER + size),
    length,
  }
}

/** Pairs of name and value, the length of each before them: one byte, or four with the first bit set. */
export function readParameters(bytes: Buffer): Parameters {
  const found = new Map<string, string>()
  let at = 0
  const readLength = () => {
    const first = bytes.readUInt8(at)
    const length = first < 128 ? first : bytes.readUInt32BE(at) - 0x80_00_00_00
    at += first < 128 ? 1 : 4
    return length
  }
  while (at < bytes.length) {
    const [name, value] = [readLength(), readLength()]
    if (at + name + value > bytes.length) throw new RangeError('A parameter is longer than all of them.')
    found.set(bytes.toString('utf8', at, at + name), bytes.toString('utf8', at + name, at + name + value))
    at += name + value
  }
  return found
}

function writeAnswer(request: number, text: string): Buffer {
  const content = Buffer.from(text).subarray(0, LARGEST_RECORD)
  return Buffer.concat([
    writeRecord(TYPE.stdout, request, content),
    writeRecord(TYPE.stdout, request, Buffer.alloc(0)),
    writeRecord(TYPE.end, request, Buffer.alloc(8)),
  ])
}

function writeRecord(type: number, request: number, content: Buffer): Buffer {
  const header = Buffer.alloc(HEADER)
  header.writeUInt8(VERSION, 0)
  header.writeUInt8(type, 1)
  header.writeUInt16BE(request, 2)
  header.writeUInt16BE(content.length, 4)
  return Buffer.concat([header, content])
}
