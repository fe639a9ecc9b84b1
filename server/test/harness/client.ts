import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from 'node:http'
import { searchForCanaries } from '../fixtures/canaries.ts'
import { PASSWORD, type TestPerson } from '../fixtures/people.ts'

export interface Response {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The parsed body. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any
}

export interface RequestOptions {
  /** The person whose access key is sent; absent: anonymous. */
  as?: TestPerson
  /** The reader of the response, if `headers` carry the credential. */
  reader?: TestPerson
  headers?: OutgoingHttpHeaders
  /** Sent as JSON, unless it is text or `Lines`: text is sent unchanged. */
  body?: unknown
}

/** A body of JSON lines. */
export class Lines {
  readonly text: string

  constructor(lines: readonly object[]) {
    this.text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  }
}

export interface TestClient {
  readonly origin: string
  request(method: string, path: string, options?: RequestOptions): Promise<Response>
  get(path: string, options?: RequestOptions): Promise<Response>
  post(path: string, options?: RequestOptions): Promise<Response>
  put(path: string, options?: RequestOptions): Promise<Response>
  patch(path: string, options?: RequestOptions): Promise<Response>
  delete(path: string, options?: RequestOptions): Promise<Response>
}

/** Calls a running server over HTTP. Adds `/api` to paths without it. Searches every response for canaries. */
export function createTestClient(origin: string): TestClient {
  const agent = new Agent({ keepAlive: true })
  const call = (method: string, path: string, options: RequestOptions = {}) =>
    send(agent, origin, method, path, options)
  return {
    origin,
    request: call,
    get: (path, options) => call('GET', path, options),
    post: (path, options) => call('POST', path, options),
    put: (path, options) => call('PUT', path, options),
    patch: (path, options) => call('PATCH', path, options),
    delete: (path, options) => call('DELETE', path, options),
  }
}

export function basic({ login }: Pick<TestPerson, 'login'>, password = PASSWORD): OutgoingHttpHeaders {
  return { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` }
}

/** This route refuses every other media type before any other check. */
const SPEAKS_STREAMS_ONLY = /\/artifacts\/live(?:\?|$)/

async function send(
  agent: Agent,
  origin: string,
  method: string,
  path: string,
  options: RequestOptions,
): Promise<Response> {
  const { as, reader = as, headers = {}, body } = options
  const text = bytesOf(body)
  const type = body instanceof Lines ? 'application/x-ndjson' : 'application/json'
  const isOutside = /^\/(api|healthz|readyz|metrics|goto|files|uploads|plugins)\b/.test(path)
  const outgoing = request(new URL(origin), {
    agent,
    method,
    path: isOutside ? path : `/api${path}`,
    headers: {
      ...(SPEAKS_STREAMS_ONLY.test(path) && { accept: 'text/event-stream' }),
      ...(as && { 'x-auth-accesskey': as.key }),
      ...(text !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(text) }),
      ...headers,
    },
  })
  outgoing.end(text)
  const incoming = await answerTo(outgoing)
  const chunks: Buffer[] = []
  for await (const chunk of incoming) {
    chunks.push(Buffer.from(chunk))
    if (incoming.headers['content-type']?.startsWith('text/event-stream')) break // The stream never ends; `openStream` reads on.
  }
  const received = Buffer.concat(chunks).toString()
  searchForCanaries(`${JSON.stringify(incoming.headers)}\n${received}`, reader, `${method} ${path}`)
  return toResponse(incoming.statusCode ?? 0, incoming.headers, received)
}

function bytesOf(body: unknown): string | undefined {
  if (body === undefined || typeof body === 'string') return body
  return body instanceof Lines ? body.text : JSON.stringify(body)
}

export function answerTo(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
  })
}

function toResponse(status: number, headers: IncomingHttpHeaders, text: string): Response {
  return {
    status,
    headers,
    text,
    get json() {
      return JSON.parse(text)
    },
  }
}
