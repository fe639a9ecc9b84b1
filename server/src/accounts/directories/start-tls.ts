import type { Socket } from 'node:net'
import { DirectoryUnavailable } from './directory-error.ts'

/** An extended request with the message id 1 and the name 1.3.6.1.4.1.1466.20037 (RFC 4511, 4.14). */
const REQUEST = Buffer.from('301d02010177188016312e332e362e312e342e312e313436362e3230303337', 'hex')
const SEQUENCE = 0x30
const EXTENDED_RESPONSE = 0x78
const ENUMERATED = 0x0a
const MAX_RESPONSE_BYTES = 4096

/**
 * Asks for TLS on a plain connection. By our own code, because bytes that came before TLS must not be read after it: a
 * person in the middle could complete them with the first answer that is protected, and so forge it.
 */
export async function requestStartTls(socket: Socket, host: string): Promise<void> {
  socket.write(REQUEST)
  const response = await readResponse(socket, host)
  const code = parseResponse(response)
  if (code === undefined) throw new DirectoryUnavailable('tls', `${host} has answered StartTLS with something else.`)
  if (code !== 0)
    throw new DirectoryUnavailable('tls', `${host} refuses StartTLS (code ${code}). Nothing is sent without TLS.`)
}

/** Exactly one message: more bytes are refused. The socket is paused afterwards. */
async function readResponse(socket: Socket, host: string): Promise<Buffer> {
  const done = Promise.withResolvers<Buffer>()
  let received: Buffer = Buffer.alloc(0)
  const onData = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    const expected = messageLength(received)
    if (expected === undefined && received.length < MAX_RESPONSE_BYTES) return
    if (expected !== undefined && received.length < expected && expected <= MAX_RESPONSE_BYTES) return
    if (received.length === expected) done.resolve(received)
    else done.reject(new DirectoryUnavailable('tls', `${host} has sent more than the answer to StartTLS.`))
  }
  const onClose = () => done.reject(new DirectoryUnavailable('tls', `${host} has closed the connection at StartTLS.`))
  socket.on('data', onData).once('close', onClose).once('error', done.reject)
  try {
    return await done.promise
  } finally {
    socket.pause()
    socket.off('data', onData).off('close', onClose).off('error', done.reject)
  }
}

/** The bytes of the message with its header; undefined: too few to tell, or no message. */
function messageLength(bytes: Buffer): number | undefined {
  const header = readHeader(bytes, 0)
  return header?.tag === SEQUENCE ? header.start + header.length : undefined
}

/** The result code; undefined: it is no answer to the request. */
function parseResponse(bytes: Buffer): number | undefined {
  const message = readHeader(bytes, 0)
  if (!message || bytes.subarray(message.start, message.start + 3).toString('hex') !== '020101') return undefined
  const response = readHeader(bytes, message.start + 3)
  if (response?.tag !== EXTENDED_RESPONSE) return undefined
  const result = readHeader(bytes, response.start)
  return result?.tag === ENUMERATED && result.length === 1 ? bytes[result.start] : undefined
}

function readHeader(bytes: Buffer, at: number): { tag: number; start: number; length: number } | undefined {
  const [tag, first] = bytes.subarray(at, at + 2)
  if (tag === undefined || first === undefined) return undefined
  if (first < 0x80) return { tag, start: at + 2, length: first }
  const size = first & 0x7f
  if (size === 0 || size > 4 || bytes.length < at + 2 + size) return undefined
  return { tag, start: at + 2 + size, length: bytes.readUIntBE(at + 2, size) }
}
