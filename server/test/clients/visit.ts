import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Answer, Send, Sent } from './send.ts'
import type { ClientWorld } from './world.ts'

/** What a client reads of an answer. More than it reads may be there. */
export interface Needs {
  /** Which statuses it takes as success; 200 unless said. */
  readonly status?: number
  readonly members?: TSchema
  readonly headers?: Readonly<Record<string, RegExp>>
  /** Says what is wrong, if anything is. */
  readonly also?: (answer: Answer) => string | undefined
}

export interface Visited {
  readonly client: string
  readonly call: string
  readonly missing: readonly string[]
}

export interface Visit {
  readonly world: ClientWorld
  readonly call: (request: Sent, needs: Needs) => Promise<Answer>
}

export interface PublicClient {
  readonly name: string
  /** Asks what that client asks, as it asks it. */
  readonly visit: (visit: Visit) => Promise<void>
}

/** Every client in turn; what one does not get is noted, and an answer that leads nowhere ends its visit. */
export async function visitAll(
  clients: readonly PublicClient[],
  send: Send,
  world: ClientWorld,
): Promise<readonly Visited[]> {
  const visited: Visited[] = []
  for (const { name, visit } of clients) {
    const call = async (request: Sent, needs: Needs) => {
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

function nameOf({ method, path }: Sent): string {
  return `${method} ${decodeURIComponent(path)}`
}

function missingIn(answer: Answer, { status = 200, members, headers = {}, also }: Needs): string[] {
  if (answer.status !== status) return [`status ${answer.status} for ${status}: ${answer.text.slice(0, 200)}`]
  const missing = Object.entries(headers)
    .filter(([name, form]) => !form.test(answer.headers.get(name) ?? ''))
    .map(([name]) => `header ${name}: ${answer.headers.get(name) ?? 'absent'}`)
  if (members && !Value.Check(members, answer.json))
    for (const { instancePath, message } of Value.Errors(members, answer.json).slice(0, 3))
      missing.push(`${instancePath || 'body'}: ${message}`)
  const told = missing.length === 0 ? also?.(answer) : undefined
  return told === undefined ? missing : [...missing, told]
}
