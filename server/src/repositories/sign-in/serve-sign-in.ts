import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { Context } from '../../platform/operation/context.ts'
import { toApiError } from '../../platform/database/database-errors.ts'
import type { ApiError } from '../../platform/messages/errors.ts'
import { SECRET_VARIABLE } from '../disk/apache-config.ts'
import { getSvnFolders } from '../disk/svn-folders.ts'
import { type Parameters, serveFastCgi } from './fastcgi.ts'
import { authorizeSvnRequest } from './authorize-svn-request.ts'
import { listenOnSharedSocket } from './shared-socket.ts'

export interface ListeningServer {
  close(): Promise<void>
}

/** More than Apache has workers, each of which uses one. At 256 KiB each, they buffer at most 128 MiB. */
const MAX_CONNECTIONS = 512

/** Serves Apache's sign-in requests. Several processes on one machine share the socket or port. */
export async function serveSignIn(context: Context): Promise<ListeningServer> {
  const open = new Set<Socket>()
  const warnOfSecret = createSecretWarning(context)
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    serveFastCgi(socket, (parameters) => respondToApache(context, parameters, warnOfSecret))
  })
  server.maxConnections = MAX_CONNECTIONS
  const release = await listen(context, server)
  // A failed accept must not end the process.
  server.on('error', (error) => context.log.error({ err: error }, 'the socket of the svn sign-in failed'))
  return {
    async close() {
      await release()
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.end()
      await closed
    },
  }
}

/** Returns a function that hands the socket over to other processes. */
async function listen(context: Context, server: Server): Promise<() => Promise<void>> {
  const { WAYPOST_SVN_SIGN_IN: address } = context.config
  if (address === null) {
    const shared = await listenOnSharedSocket(server, getSvnFolders(context.config).signIn, context)
    return () => shared.release()
  }
  server.listen({ ...address, reusePort: true })
  await once(server, 'listening')
  return async () => {}
}

async function respondToApache(context: Context, parameters: Parameters, warnOfSecret: () => void): Promise<string> {
  const given = (name: string) => parameters.get(name) ?? ''
  if (!hasSecret(context, given(SECRET_VARIABLE))) {
    warnOfSecret()
    // Closes the connection: a peer without the secret is not Apache and gets no response.
    throw new Error('The shared secret of the svn sign-in does not match.')
  }
  try {
    const viewer = await authorizeSvnRequest(context, {
      served: given('SCRIPT_FILENAME'),
      login: given('REMOTE_USER'),
      secret: given('REMOTE_PASSWD'),
      address: given('REMOTE_ADDR'),
      method: given('REQUEST_METHOD'),
    })
    return `Status: 200 OK\r\nVariable-WAYPOST_LOGIN: ${viewer.login}\r\n\r\n`
  } catch (error) {
    return renderRefusal(context, toApiError(error), error)
  }
}

const WARNING_INTERVAL_MS = 60_000

function createSecretWarning({ log }: Context): () => void {
  let lastWarning = 0
  return () => {
    if (Date.now() - lastWarning < WARNING_INTERVAL_MS) return
    lastWarning = Date.now()
    log.warn('an svn sign-in came without the shared secret: compare WAYPOST_SVN_SIGN_IN_SECRET of server and Apache')
  }
}

function hasSecret({ config: { WAYPOST_SVN_SIGN_IN_SECRET: secret } }: Context, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return secret === null || timingSafeEqual(digest(secret), digest(given))
}

/** Gives the same response for every fault of login or secret. */
function renderRefusal({ log }: Context, { status, headers, reason }: ApiError, thrown: unknown): string {
  if (status === 404)
    return renderHttpResponse('404 Not Found', [], 'There is no such repository, or it is not for you.')
  if (status === 429)
    return renderHttpResponse(
      '429 Too Many Requests',
      [`Retry-After: ${headers['retry-after'] ?? 60}`],
      'Too many attempts. Wait.',
    )
  if (reason === 'project_archived')
    return renderHttpResponse('403 Forbidden', [], 'This project is archived, so its repositories are read-only.')
  if (status === 401 || status === 403)
    return renderHttpResponse('401 Unauthorized', ['WWW-Authenticate: Basic realm="Waypost"'], unauthorizedText(reason))
  if (reason === 'directory_unavailable')
    return renderHttpResponse(
      '503 Service Unavailable',
      [`Retry-After: ${headers['retry-after'] ?? 10}`],
      'The directory that checks your password cannot be reached. Try again later, or use an access key.',
    )
  log.error({ err: thrown }, 'a sign-in to a repository failed')
  return renderHttpResponse('503 Service Unavailable', ['Retry-After: 10'], 'Not available just now. Try again.')
}

/** The text does not reveal whether the password was right; with password sign-in disabled it is not even checked. */
function unauthorizedText(reason: string): string {
  return reason === 'password_sign_in_disabled'
    ? 'Passwords do not sign in here. Use an access key with the scope write:svn as password.'
    : 'Login or password is not right.'
}

function renderHttpResponse(status: string, headers: readonly string[], text: string): string {
  return [`Status: ${status}`, ...headers, 'Content-Type: text/plain', '', `${text}\n`].join('\r\n')
}
