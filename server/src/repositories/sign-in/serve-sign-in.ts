import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { Context } from '../../platform/operation/context.ts'
import { toApiError } from '../../platform/database/faults.ts'
import type { ApiError } from '../../platform/words/errors.ts'
import { type Parameters, serveFastCgi } from './fastcgi.ts'
import { letIn } from './let-in.ts'

export interface Listening {
  close(): Promise<void>
}

/** Answers Apache who may come in. Several processes on one machine share the port. */
export async function serveSignIn(context: Context): Promise<Listening> {
  const { host, port } = context.config.WAYPOST_SVN_SIGN_IN
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    serveFastCgi(socket, (parameters) => answer(context, parameters))
  })
  server.listen({ host, port, reusePort: true })
  await once(server, 'listening')
  return {
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.end()
      await closed
    },
  }
}

async function answer(context: Context, parameters: Parameters): Promise<string> {
  const given = (name: string) => parameters.get(name) ?? ''
  try {
    const viewer = await letIn(context, {
      served: given('SCRIPT_FILENAME'),
      login: given('REMOTE_USER'),
      secret: given('REMOTE_PASSWD'),
      address: given('REMOTE_ADDR'),
    })
    return `Status: 200 OK\r\nVariable-WAYPOST_LOGIN: ${viewer.login}\r\n\r\n`
  } catch (error) {
    return refusal(context, toApiError(error), error)
  }
}

/** Whatever is wrong with a login or its secret: one answer. */
function refusal({ log }: Context, { status, headers }: ApiError, thrown: unknown): string {
  if (status === 404) return said('404 Not Found', [], 'There is no such repository, or it is not for you.')
  if (status === 429)
    return said('429 Too Many Requests', [`Retry-After: ${headers['retry-after'] ?? 60}`], 'Too many attempts. Wait.')
  if (status === 401 || status === 403)
    return said('401 Unauthorized', ['WWW-Authenticate: Basic realm="Waypost"'], 'Login or password is not right.')
  log.error({ err: thrown }, 'a sign-in to a repository failed')
  return said('503 Service Unavailable', ['Retry-After: 10'], 'Not available just now. Try again.')
}

function said(status: string, headers: readonly string[], text: string): string {
  return [`Status: ${status}`, ...headers, 'Content-Type: text/plain', '', `${text}\n`].join('\r\n')
}
