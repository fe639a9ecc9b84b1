import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { ClientAnswer, SendRequest, SentRequest } from './send.ts'
import type { ClientWorld } from './world.ts'

/** The part of a response that a client reads. Additional members are allowed. */
export interface Needs {
  /** The statuses that count as success; 200 by default. */
  readonly status?: number
  readonly members?: TSchema
  readonly headers?: Readonly<Record<string, RegExp>>
  /** Returns an error description, if any. */
  readonly also?: (answer: ClientAnswer) => string | undefined
}

export interface Visited {
  readonly client: string
  readonly call: string
  readonly missing: readonly string[]
}

export interface ClientVisit {
  readonly world: ClientWorld
  readonly call: (request: SentRequest, needs: Needs) => Promise<ClientAnswer>
}

export interface PublicClient {
  readonly name: string
  /** Sends the requests of that client. */
  readonly visit: (visit: ClientVisit) => Promise<void>
}

/** Runs every client; records what is missing, and stops a client at a response that it cannot continue from. */
export async function visitAll(
  clients: readonly PublicClient[],
  send: SendRequest,
  world: ClientWorld,
): Promise<readonly Visited[]> {
  const visited: Visited[] = []
  for (const { name, visit } of clients) {
    const call = async (request: SentRequest, needs: Needs) => {
      const answer = await send(request)
      visited.push({ client: name, call: nameOf(request), missing: missingIn(answer, needs) })
      return answer
    }
    await visit({ world, call }).catch((error: unknown) => {
      visited.push({ client: name, call: 'the rest of its calls', missing: [String(error)] })
    })
  }
  return visited
}

function nameOf({ method, path }: SentRequest): string {
  return `${method} ${decodeURIComponent(path)}`
}

function missingIn(answer: ClientAnswer, { status = 200, members, headers = {}, also }: Needs): string[] {
  if (answer.status !== status) return [`status ${answer.status} for ${status}: ${answer.text.slice(0, 200)}`]
  const missing = Object.entries(headers)
    .filter(([name, form]) => !form.test(answer.headers.get(name) ?? ''))
    .map(([name]) => `header ${name}: ${answer.headers.get(name) ?? 'absent'}`)
  if (members && !Value.Check(members, answer.json))
    for (const { instancePath, message } of Value.Errors(members, answer.json).slice(0, 3))
      missing.push(`${instancePath || 'body'}: ${message}`)
  const problem = missing.length === 0 ? also?.(answer) : undefined
  return problem === undefined ? missing : [...missing, problem]
}
