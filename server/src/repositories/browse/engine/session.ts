import { type ChildProcess, spawn } from 'node:child_process'
import { access } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ApiError } from '../../../platform/messages/errors.ts'
import { writeOwnFile } from '../../disk/svn-folders.ts'
import { svnUser } from '../../disk/run-tool.ts'
import { type Item, ItemReader, itemList, itemNumber, itemText, writeItem } from './items.ts'

/** A repository and the viewer whose rights apply. The access file is `conf/authz`. */
export interface Browsed {
  readonly folder: string
  readonly login: string
}

export type SvnCommand = readonly [name: string, ...params: Item[]]

export const SVN_TIMEOUT_MS = 10_000
const MAX_OUTPUT_BYTES = 256 * 2 ** 20
const CAPABILITIES = ['edit-pipeline', 'depth', 'log-revprops']
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8' }

/** Subversion error codes that map to "not found". An unreadable access file denies everything. */
const NOT_FOUND_CODES = new Set([160013, 160016, 160017, 170001, 170000, 220001, 220003, 210005, 170004])

/** Subversion failed for a reason that is not the caller's. */
class SvnFault extends Error {}

/**
 * Runs svnserve, which reads the access file with the same library as Apache's module and omits unreadable paths. The
 * process ends with the callback, or at the timeout.
 */
export async function withSession<T>(
  browsed: Browsed,
  scope: SessionScope,
  run: (session: SvnSession) => Promise<T>,
  timeLimit = SVN_TIMEOUT_MS,
): Promise<T> {
  const server = spawn('svnserve', serverArguments(browsed, await serverConfig(browsed, scope)), {
    ...(await svnUser()),
    cwd: '/',
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let hasTimedOut = false
  const timer = setTimeout(() => {
    hasTimedOut = true
    server.kill('SIGKILL')
  }, timeLimit)
  const failed = new Promise<never>((_, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new ApiError('rule_violated', { cause: 'no_subversion' }) : error),
    )
  })
  try {
    const session = new SvnSession(server, basename(browsed.folder))
    return await Promise.race([failed, session.begin().then(() => run(session))])
  } catch (error) {
    throw hasTimedOut ? new ApiError('unavailable') : error
  } finally {
    clearTimeout(timer)
    server.kill('SIGKILL')
  }
}

/** `whole`: full access, for internal checks only; its results are never returned to a viewer. */
type SessionScope = 'own' | 'whole'

const CONFIGS = { own: 'browse.conf', whole: 'browse-whole.conf' }
const GENERAL = '[general]\nanon-access = none\nauth-access = read\n'

/** The configuration file beside the access file that it names. */
export async function serverConfig({ folder }: Browsed, scope: SessionScope): Promise<string> {
  const file = join(folder, 'conf', CONFIGS[scope])
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (!isThere) await writeOwnFile(file, scope === 'own' ? `${GENERAL}authz-db = authz\n` : GENERAL)
  return file
}

export function serverArguments({ folder, login }: Browsed, config: string): string[] {
  return ['--tunnel', '--root', dirname(folder), '--config-file', config, '--tunnel-user', login]
}

export class SvnSession {
  readonly #server: ChildProcess
  readonly #items: AsyncGenerator<Item>
  readonly #root: string

  constructor(server: ChildProcess, name: string) {
    this.#server = server
    this.#root = `svn+waypost://waypost/${name}`
    this.#items = readItems(server)
    server.stdin?.on('error', () => {}) // A closed pipe shows up as a missing response.
  }

  /** svnserve requires the edit-pipeline capability, although nothing is edited here. */
  async begin(): Promise<void> {
    await this.#answer()
    this.#send([2, CAPABILITIES, this.urlFor('/'), Buffer.from('waypost'), []])
    await this.#answer()
    this.#send(['EXTERNAL', [Buffer.alloc(0)]])
    await this.#answer()
    await this.#answer()
  }

  urlFor(path: string): Buffer {
    return Buffer.from(path === '/' ? this.#root : `${this.#root}${path.split('/').map(encodeURIComponent).join('/')}`)
  }

  async ask(...[name, ...params]: SvnCommand): Promise<readonly Item[]> {
    this.#send([name, params])
    await this.#answer() // The first response states that no further authentication is needed.
    return this.#answer()
  }

  /** Pipelines many commands; the responses come in their order. */
  async askAll(commands: readonly SvnCommand[]): Promise<(readonly Item[])[]> {
    for (const [name, ...params] of commands) this.#send([name, params])
    const answers = []
    for (const _ of commands) {
      await this.#answer()
      answers.push(await this.#answer())
    }
    return answers
  }

  /** The same, with undefined for "not found". */
  async askEach(commands: readonly SvnCommand[]): Promise<(readonly Item[] | undefined)[]> {
    for (const [name, ...params] of commands) this.#send([name, params])
    const answers = []
    for (const _ of commands) {
      const isLetIn = await this.#answer().then(
        () => true,
        (error: unknown) => {
          if (error instanceof ApiError && error.reason === 'not_found') return false
          throw error
        },
      )
      answers.push(isLetIn ? await this.#answer() : undefined)
    }
    return answers
  }

  /** The editor commands that turn one revision into the target of the command. */
  async *askForEdit(
    [name, ...params]: SvnCommand,
    revision: number,
  ): AsyncGenerator<readonly [command: string, params: readonly Item[]]> {
    this.#send([name, params])
    await this.#answer()
    this.#send(['set-path', [Buffer.alloc(0), revision, 'false']])
    this.#send(['finish-report', []])
    await this.#answer()
    for (;;) {
      const item = itemList(await this.#next())
      const [command, given] = item
      if (command === 'close-edit' || command === 'abort-edit') break
      if (typeof command !== 'string') throw new TypeError('svnserve said something else than a command.')
      if (command === 'failure') parseResponse(item)
      yield [command, itemList(given)]
    }
    this.#send(['success', []])
    await this.#answer()
  }

  /** Yields the items that precede the response. */
  async *askForMany(...[name, ...params]: SvnCommand): AsyncGenerator<readonly Item[]> {
    this.#send([name, params])
    await this.#answer()
    for (let item = await this.#next(); item !== 'done'; item = await this.#next()) {
      const list = itemList(item)
      if (list[0] === 'failure') parseResponse(list)
      yield list
    }
    await this.#answer()
  }

  /** Yields the strings that follow a response, up to an empty one. */
  async *followingBytes(): AsyncGenerator<Buffer> {
    for (;;) {
      const item = await this.#next()
      if (!Buffer.isBuffer(item)) throw new TypeError('svnserve said something else than a string.')
      if (item.length === 0) break
      yield item
    }
    await this.#answer()
  }

  #send(item: Item): void {
    this.#server.stdin?.write(writeItem(item))
  }

  async #answer(): Promise<readonly Item[]> {
    return parseResponse(itemList(await this.#next()))
  }

  async #next(): Promise<Item> {
    const { value, done } = await this.#items.next()
    if (done) throw new SvnFault('svnserve has ended too early.')
    return value
  }
}

function parseResponse([how, content]: readonly Item[]): readonly Item[] {
  if (how === 'success') return itemList(content)
  const errors = itemList(content).map((error) => itemList(error))
  if (errors.some(([code]) => NOT_FOUND_CODES.has(itemNumber(code)))) throw new ApiError('not_found')
  throw new SvnFault(errors.map(([code, message]) => `${itemNumber(code)}: ${itemText(message)}`).join('; '))
}

async function* readItems({ stdout }: ChildProcess): AsyncGenerator<Item> {
  const reader = new ItemReader()
  let size = 0
  for await (const piece of stdout ?? []) {
    const bytes = Buffer.from(piece)
    size += bytes.length
    if (size > MAX_OUTPUT_BYTES) throw new ApiError('unavailable')
    yield* reader.feed(bytes)
  }
}
