export interface SentRequest {
  readonly method: string
  /** From the root of the server: the clients add `/api` or `/api/v1`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON, with its type unless `headers` have one. */
  readonly json?: unknown
  /** Sent unchanged. */
  readonly bytes?: string
}

export interface ClientAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; undefined if it is not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  readonly json: any
}

export type SendRequest = (request: SentRequest) => Promise<ClientAnswer>

/** Sends to a running server. Each client builds its own requests; nothing is added here. */
export function createSend(origin: string): SendRequest {
  return async ({ method, path, headers, json, bytes }) => {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { ...(json !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...bodyOf(json, bytes),
      redirect: 'manual',
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, json: parsed(text) }
  }
}

function bodyOf(json: unknown, bytes: string | undefined) {
  if (json !== undefined) return { body: JSON.stringify(json) }
  return bytes === undefined ? {} : { body: bytes }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
