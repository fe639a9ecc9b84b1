// The oracle uses HTTP only; its runner provides the client.

export interface OracleReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- answers have every shape
  readonly json: any
}

/** `as`: the login of the caller; absent: anonymous. */
export interface OracleApi {
  send(
    method: string,
    path: string,
    options: { as?: string | undefined; body?: string; type?: string },
  ): Promise<OracleReply>
}

export async function requireSuccess(asked: Promise<OracleReply>): Promise<OracleReply> {
  const reply = await asked
  if (reply.status < 200 || reply.status > 299) throw new Error(`${reply.status}: ${reply.text}`)
  return reply
}
