import { type Answer, bodyOf, readFailure, unreachable } from './answer.ts'
import { EtagCache } from './etag-cache.ts'
import { type DryRun, type Operations, type TrackerPlan, WITHOUT_KEY } from './api.ts'
import { retry } from './retry.ts'

export interface Connection {
  /** The URL of the platform, such as `https://waypost.example`. Absent: the origin of the page. */
  readonly url?: string
  /** A personal access key. Absent: the session of the page, or anonymous. */
  readonly key?: string
  /** The language of messages, as in `Accept-Language`. */
  readonly language?: string
  /** Identifies this client in the events that its own writes cause. */
  readonly clientUuid?: string
  /** The maximum number of attempts on a transient failure. */
  readonly attempts?: number
  readonly fetch?: (url: string, request: RequestInit) => Promise<Response>
}

export type Operation = keyof Operations

export interface Options {
  /** Writes only if this is still the current version. */
  readonly ifMatch?: string
  /** The key of a write that an earlier run may have made. Absent: a new key, shared by the attempts of this call. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

export type Input<O extends Operation> = Omit<Operations[O], 'answer'> & Options
export type Body<O extends Operation> = Operations[O]['answer']
type CallArguments<O extends Operation> = Partial<Input<O>> extends Input<O> ? [input?: Input<O>] : [input: Input<O>]

export type WriteOperation = Exclude<Operation, `GET ${string}`>
/** The result of a dry run; a tracker definition returns its own kind of plan. */
export type DryRunAnswer<O extends WriteOperation> = O extends 'PUT /trackers/{id}/definition' ? TrackerPlan : DryRun

/** Operations that return lists. */
export type ListOperation = { [O in Operation]: Extract<Body<O>, List> extends never ? never : O }[Operation]
export type ListElement<O extends ListOperation> = Extract<Body<O>, List>[number]
type List = readonly unknown[]

export interface Client {
  /** One call: `call('GET /projects/{id}', { path: { id: 101 } })`. */
  call<O extends Operation>(operation: O, ...given: CallArguments<O>): Promise<Answer<Body<O>>>
  /** Runs the checks of the call and writes nothing. */
  dryRun<O extends WriteOperation>(operation: O, ...given: CallArguments<O>): Promise<Answer<DryRunAnswer<O>>>
  /** Yields pages by cursor; ends after the last page or the first refusal. */
  pages<O extends ListOperation>(operation: O, ...given: CallArguments<O>): AsyncGenerator<Answer<ListElement<O>[]>>
  /** Yields every element of every page; throws a refusal. */
  list<O extends ListOperation>(operation: O, ...given: CallArguments<O>): AsyncGenerator<ListElement<O>>
  /** Opens a stream. With a body it is a single `POST`, without retries. */
  open(path: string, headers: Record<string, string>, signal: AbortSignal, body?: string): Promise<Response>
  /** Clears the cache, for a change of the account. */
  forget(): void
}

/** The total number of elements of a list. */
export function sizeOf({ headers }: { readonly headers: Headers }): number {
  return Number(headers.get('x-pagination-size') ?? 0)
}

interface Call {
  path?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

interface Attempt {
  method: string
  address: string
  headers: Record<string, string>
  body: unknown
  signal: AbortSignal | undefined
}

/** The description defines the response type; it is not validated at run time. */
type Read<T> = (text: string) => T

export function createClient(connection: Connection = {}): Client {
  const { url = '', attempts = 4, fetch: send = (to, sent) => globalThis.fetch(to, sent) } = connection
  const cache = new EtagCache()
  const common = {
    ...(connection.key !== undefined && { 'x-auth-accesskey': connection.key }),
    ...(connection.language !== undefined && { 'accept-language': connection.language }),
    ...(connection.clientUuid !== undefined && { 'x-client-uuid': connection.clientUuid }),
  }

  async function request<T>(
    operation: string,
    address: string,
    input: Call & Options,
    read: Read<T>,
  ): Promise<Answer<T>> {
    const [method = 'GET'] = operation.split(' ')
    const isRead = method === 'GET'
    const { body, ifMatch, signal, idempotencyKey } = input
    const key = isRead || WITHOUT_KEY.includes(operation) ? undefined : (idempotencyKey ?? crypto.randomUUID())
    const mayRepeat = isRead || key !== undefined
    return retry(
      mayRepeat ? attempts : 1,
      () => attempt({ method, address, headers: headersOf(), body, signal }, read),
      signal,
    )

    function headersOf(): Record<string, string> {
      const kept = isRead ? cache.get(address) : undefined
      return {
        accept: 'application/json',
        ...common,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(kept && { 'if-none-match': kept.etag }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      }
    }
  }

  async function attempt<T>({ address, ...sent }: Attempt, read: Read<T>): Promise<Answer<T>> {
    const { method, headers, body, signal } = sent
    try {
      const response = await send(address, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      })
      const kept = response.status === 304 ? cache.get(address) : undefined
      const text = kept?.text ?? toJsonText(await response.text(), response.headers)
      const { status } = kept ?? response
      if (!kept && !response.ok) return readFailure(status, response.headers, text)
      const etag = response.headers.get('etag') ?? kept?.etag
      if (method === 'GET' && etag !== undefined) cache.set(address, { etag, status, text })
      return {
        ok: true,
        status,
        body: read(text),
        headers: response.headers,
        etag,
        isUnchanged: kept !== undefined,
      }
    } catch (error) {
      return unreachable(error)
    }
  }

  async function* pages<O extends ListOperation>(operation: O, ...given: CallArguments<O>) {
    const input: Call & Options = given[0] ?? {}
    const first = addressOf(url, operation, input)
    const readElements = (text: string): ListElement<O>[] => JSON.parse(text)
    for (let address: string | undefined = first; address !== undefined; ) {
      const page: Answer<ListElement<O>[]> = await request(operation, address, input, readElements)
      yield page
      const next: string | undefined = page.ok ? nextPageQuery(page.headers) : undefined
      address = next === undefined ? undefined : `${first.split('?', 1)[0]}${next}`
    }
  }

  return {
    call: <O extends Operation>(operation: O, ...given: CallArguments<O>) => {
      const input: Call & Options = given[0] ?? {}
      const read = (text: string): Body<O> => JSON.parse(text) ?? undefined
      return request(operation, addressOf(url, operation, input), input, read)
    },
    dryRun: <O extends WriteOperation>(operation: O, ...given: CallArguments<O>) => {
      const input: Call & Options = given[0] ?? {}
      const address = addressOf(url, operation, { ...input, query: { ...input.query, dry_run: true } })
      const read = (text: string): DryRunAnswer<O> => JSON.parse(text)
      return request(operation, address, input, read)
    },
    pages,
    async *list(operation, ...given) {
      for await (const page of pages(operation, ...given)) yield* bodyOf(page)
    },
    open: (path, headers, signal, body) =>
      send(`${url}/api${path}`, {
        headers: { ...common, ...headers },
        signal,
        ...(body !== undefined && { method: 'POST', body }),
      }),
    forget: () => cache.clear(),
  }
}

/** The URL of `GET /projects/{id}` with its parameters. */
function addressOf(url: string, operation: string, { path = {}, query = {} }: Call): string {
  const [, template = ''] = operation.split(' ')
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))
  return `${url}/api${filled}${toQueryString(query)}`
}

/** Omits undefined values; joins lists by commas. */
export function toQueryString(query: Record<string, unknown>): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (typeof value === 'string') given.set(name, value)
    else if (value !== undefined && value !== null)
      given.set(name, Array.isArray(value) ? value.join() : JSON.stringify(value))
  return given.size === 0 ? '' : `?${given.toString()}`
}

/** The query of the next page. */
function nextPageQuery(headers: Headers): string | undefined {
  const [, link] = /<([^>]*)>\s*;\s*rel="next"/.exec(headers.get('link') ?? '') ?? []
  return link === undefined ? undefined : link.slice(link.indexOf('?'))
}

/** The body as JSON text: null for an empty body, a string for other content types. */
function toJsonText(text: string, headers: Headers): string {
  if (text === '') return 'null'
  return headers.get('content-type')?.startsWith('application/json') ? text : JSON.stringify(text)
}
