import { connect, type Socket } from 'node:net'

export interface RawReply {
  readonly status: number
  readonly etag: string
  /** The total size of the list; NaN if the response has none. */
  readonly size: number
  /** Latin-1: one character per byte. */
  readonly body: string
}

/**
 * A keep-alive connection with one request at a time. It is minimal, because CPU time of the client is lost to the
 * server.
 */
export class HttpConnection {
  readonly #socket: Socket
  readonly #host: string
  #received = ''
  #bodyFrom = -1
  #needed = 0
  #isChunked = false
  #waiting: { resolve(reply: RawReply): void; reject(error: Error): void } | undefined

  private constructor(socket: Socket, host: string) {
    this.#socket = socket
    this.#host = host
    socket.setEncoding('latin1')
    socket.setNoDelay(true)
    socket.on('data', (chunk: string) => this.#take(chunk))
    socket.on('error', (error) => this.#waiting?.reject(error))
    socket.on('close', () => this.#waiting?.reject(new Error('The server closed the connection.')))
  }

  static async open(host: string, port: number): Promise<HttpConnection> {
    const socket = connect({ host, port })
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    return new HttpConnection(socket, `${host}:${port}`)
  }

  send(method: string, path: string, headers: string, body = ''): Promise<RawReply> {
    const length = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      const text = `${method} ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n${headers}${length}\r\n${body}`
      // A connection that was closed before emits nothing more.
      this.#socket.write(text, (error) => error && reject(error))
    })
  }

  end(): void {
    this.#waiting = undefined
    this.#socket.destroy()
  }

  #take(chunk: string): void {
    this.#received += chunk
    if (this.#bodyFrom < 0) {
      const end = this.#received.indexOf('\r\n\r\n')
      if (end < 0) return
      this.#bodyFrom = end + 4
      const before = this.#received.slice(0, end)
      this.#isChunked = headerIn(before, 'transfer-encoding') === 'chunked'
      this.#needed = this.#bodyFrom + Number(headerIn(before, 'content-length') ?? 0)
    }
    // Other servers send chunks; with one request at a time, the last chunk ends the response.
    if (this.#isChunked && !this.#received.endsWith('0\r\n\r\n')) return
    if (this.#isChunked) this.#needed = this.#received.length
    if (this.#received.length < this.#needed) return
    const head = this.#received.slice(0, this.#bodyFrom)
    const reply = {
      status: Number(head.slice(9, 12)),
      etag: headerIn(head, 'etag') ?? '',
      size: Number(headerIn(head, 'x-pagination-size') ?? NaN),
      body: this.#received.slice(this.#bodyFrom, this.#needed),
    }
    const waiting = this.#waiting
    this.#received = ''
    this.#bodyFrom = -1
    this.#waiting = undefined
    waiting?.resolve(reply)
  }
}

function headerIn(head: string, name: string): string | undefined {
  const at = head.toLowerCase().indexOf(`\r\n${name}: `)
  if (at < 0) return undefined
  const from = at + name.length + 4
  const end = head.indexOf('\r\n', from)
  return head.slice(from, end < 0 ? undefined : end)
}
