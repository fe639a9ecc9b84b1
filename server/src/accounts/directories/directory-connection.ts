import type { Socket } from 'node:net'
import { Client, type Entry, type Filter, ResultCodeError, type SearchOptions } from 'ldapts'
import type { Context } from '../../platform/operation/context.ts'
import { readIdentitySecret } from '../identity/identity-secret.ts'
import type { Directory } from './directory.ts'
import { DirectoryUnavailable } from './directory-error.ts'
import { openDirectorySocket } from './open-directory-socket.ts'

/** Bounds of one conversation with a directory. */
export interface DirectoryLimits {
  readonly connectMs: number
  /** For one request and its answer. */
  readonly requestMs: number
  /** For one answer, or one page of it. */
  readonly maxBytes: number
}

export const SIGN_IN_LIMITS: DirectoryLimits = { connectMs: 3000, requestMs: 3000, maxBytes: 1024 * 1024 }
export const SYNC_LIMITS: DirectoryLimits = { connectMs: 5000, requestMs: 60_000, maxBytes: 64 * 1024 * 1024 }

interface DirectorySearch {
  readonly base: string
  readonly filter: Filter
  readonly attributes: readonly string[]
  readonly scope?: 'base' | 'sub'
  /** More entries are not read. */
  readonly maxEntries?: number
}

export interface DirectoryConnection {
  /** False: the directory refuses the password. An empty one is never sent: it would be taken as anonymous. */
  bind(dn: string, password: string): Promise<boolean>
  search(search: DirectorySearch): Promise<Entry[]>
  pages(search: DirectorySearch): AsyncGenerator<Entry[]>
}

const PAGE_SIZE = 1000
/** The attribute whose values are bytes: a text would lose those that look like a byte order mark. */
const BINARY_ATTRIBUTES = ['objectGUID']

/** The codes of a bind that say that the password is wrong, or that the account is locked or disabled. */
const REFUSED_BINDS: ReadonlySet<number> = new Set([
  19, // constraintViolation: locked, in 389 Directory Server
  32, // noSuchObject
  48, // inappropriateAuthentication: the entry has no password
  49, // invalidCredentials
  53, // unwillingToPerform: disabled, in 389 Directory Server
])

/** Runs on a connection to the first host that can be reached, with the bind of the account that searches. */
export async function withDirectory<T>(
  context: Context,
  directory: Directory,
  limits: DirectoryLimits,
  work: (connection: DirectoryConnection) => Promise<T>,
): Promise<T> {
  const { bind_dn, bind_password_file } = directory.settings
  const password = await readSecret(context, directory, bind_password_file)
  return withDirectoryConnection(context, directory, limits, work, async (connection) => {
    if (bind_dn === null) return
    if (!(await connection.bind(bind_dn, password ?? '')))
      throw new DirectoryUnavailable('secret', 'The directory refuses the account that searches: check its password.')
  })
}

/** The same without a bind. `begin` decides whether a host can be used; else the next one is tried. */
export async function withDirectoryConnection<T>(
  context: Context,
  { settings }: Directory,
  limits: DirectoryLimits,
  work: (connection: DirectoryConnection) => Promise<T>,
  begin: (connection: DirectoryConnection) => Promise<void> = async () => {},
): Promise<T> {
  const failures: DirectoryUnavailable[] = []
  for (const url of settings.urls) {
    let socket: Socket
    let connection: DirectoryConnection
    try {
      socket = await openDirectorySocket(context, settings, url, limits.connectMs)
      connection = converse(socket, limits)
    } catch (error) {
      if (!(error instanceof DirectoryUnavailable)) throw error
      failures.push(error)
      continue
    }
    try {
      try {
        await begin(connection)
      } catch (error) {
        if (!(error instanceof DirectoryUnavailable)) throw error
        failures.push(error)
        continue
      }
      return await work(connection)
    } finally {
      socket.destroy()
    }
  }
  const [first] = failures
  throw new DirectoryUnavailable(first?.kind ?? 'address', failures.map(({ message }) => message).join(' '))
}

async function readSecret(context: Context, { secret }: Directory, file: string | null | undefined) {
  try {
    return await readIdentitySecret(context, 'directory', { secret, file })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new DirectoryUnavailable('secret', `The password of the account that searches cannot be read: ${reason}`)
  }
}

function converse(socket: Socket, { requestMs, maxBytes }: DirectoryLimits): DirectoryConnection {
  let received = 0
  let isTooLarge = false
  let isUsed = false
  const client = new Client({
    url: 'ldap://connected',
    timeout: requestMs,
    createConnection: () => {
      // A lost connection is not opened again: it would be without TLS and bind.
      if (isUsed) throw new Error('The connection is closed.')
      isUsed = true
      return socket
    },
  })
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received <= maxBytes) return
    isTooLarge = true
    socket.destroy(new Error('The answer is too large.'))
  })
  socket.on('error', () => {}) // The request that waits is told.
  const explained = async <R>(request: () => Promise<R>): Promise<R> => {
    received = 0
    try {
      return await request()
    } catch (error) {
      throw isTooLarge ? new DirectoryUnavailable('size', 'The answer of the directory is too large.') : explain(error)
    }
  }
  return {
    async bind(dn, password) {
      if (dn === '' || password === '') return false
      return explained(async () => {
        try {
          await client.bind(dn, password)
          return true
        } catch (error) {
          if (error instanceof ResultCodeError && REFUSED_BINDS.has(error.code)) return false
          throw error
        }
      })
    },
    async search(search) {
      const { searchEntries } = await explained(() =>
        client.search(search.base, { ...toOptions(search), sizeLimit: search.maxEntries ?? 1 }),
      )
      return searchEntries
    },
    async *pages(search) {
      const answers = client.searchPaginated(search.base, { ...toOptions(search), paged: { pageSize: PAGE_SIZE } })
      for (;;) {
        const { value, done } = await explained(() => answers.next())
        if (done) return
        yield value.searchEntries
      }
    },
  }
}

/** Aliases and referrals could lead to entries that nobody has checked. */
function toOptions({ filter, attributes, scope = 'sub' }: DirectorySearch): SearchOptions {
  const explicitBufferAttributes = BINARY_ATTRIBUTES
  return { filter, attributes: [...attributes], scope, derefAliases: 'never', explicitBufferAttributes }
}

function explain(error: unknown): DirectoryUnavailable {
  if (error instanceof DirectoryUnavailable) return error
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof ResultCodeError)
    return new DirectoryUnavailable('answer', `The directory refuses the request: ${message.slice(0, 300)}`)
  if (message.includes('timed out')) return new DirectoryUnavailable('time', 'The directory did not answer in time.')
  return new DirectoryUnavailable('network', `The connection to the directory was lost: ${message.slice(0, 300)}`)
}
