// The oracle speaks HTTP only: whoever runs it gives it a client.

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- answers have every shape
  readonly json: any
}

/** `as`: the login of whoever asks; absent: nobody in particular. */
export interface Api {
  send(method: string, path: string, options: { as?: string | undefined; body?: string; type?: string }): Promise<Reply>
}

export async function succeed(asked: Promise<Reply>): Promise<Reply> {
  const reply = await asked
  if (reply.status < 200 || reply.status > 299) throw new Error(`${reply.status}: ${reply.text}`)
  return reply
}
