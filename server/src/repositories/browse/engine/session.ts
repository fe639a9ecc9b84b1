import { type ChildProcess, spawn } from 'node:child_process'
import { access } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ApiError } from '../../../platform/words/errors.ts'
import { writeOwnFile } from '../../disk/places.ts'
import { svnUser } from '../../disk/run-tool.ts'
import { type Item, ItemReader, listIn, numberIn, textIn, writeItem } from './items.ts'

/** A repository, with the eyes of one person. Its access file is `conf/authz`. */
export interface Browsed {
  readonly folder: string
  readonly login: string
}

export type Command = readonly [name: string, ...params: Item[]]

export const TIME_LIMIT = 10_000
const MOST_BYTES = 256 * 2 ** 20
const CAPABILITIES = ['edit-pipeline', 'depth', 'log-revprops']
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8' }

/** Errors of Subversion that say: there is nothing here, for you. An access file that it cannot read lets nobody in. */
const NOT_THERE = new Set([160013, 160016, 160017, 170001, 170000, 220001, 220003, 210005, 170004])

/** Subversion has refused, for a reason that is not the reader's. */
class SvnFault extends Error {}

/**
 * Asks svnserve, which reads the access file with the same library as Apache's module and leaves out what a person may not
 * read. It ends with the questions; one that takes too long is ended.
 */
export async function withSession<T>(
  browsed: Browsed,
  sight: Sight,
  doing: (session: SvnSession) => Promise<T>,
  timeLimit = TIME_LIMIT,
): Promise<T> {
  const server = spawn('svnserve', serverArguments(browsed, await serverConfig(browsed, sight)), {
    ...(await svnUser()),
    cwd: '/',
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    server.kill('SIGKILL')
  }, timeLimit)
  const failed = new Promise<never>((_, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new ApiError('rule_violated', { cause: 'no_subversion' }) : error),
    )
  })
  try {
    const session = new SvnSession(server, basename(browsed.folder))
    return await Promise.race([failed, session.begin().then(() => doing(session))])
  } catch (error) {
    throw isLate ? new ApiError('unavailable') : error
  } finally {
    clearTimeout(timer)
    server.kill('SIGKILL')
  }
}

/** `whole`: for the server itself, which tells nobody what it sees, but has to know whether there is more. */
type Sight = 'own' | 'whole'

const CONFIGS = { own: 'browse.conf', whole: 'browse-whole.conf' }
const GENERAL = '[general]\nanon-access = none\nauth-access = read\n'

/** Beside the access file, which it names. */
export async function serverConfig({ folder }: Browsed, sight: Sight): Promise<string> {
  const file = join(folder, 'conf', CONFIGS[sight])
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (!isThere) await writeOwnFile(file, sight === 'own' ? `${GENERAL}authz-db = authz\n` : GENERAL)
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
    server.stdin?.on('error', () => {}) // That it has ended is seen where its answer is missing.
  }

  /** svnserve serves nobody who cannot edit in its way, though nobody edits here. */
  async begin(): Promise<void> {
    await this.#answer()
    this.#send([2, CAPABILITIES, this.addressOf('/'), Buffer.from('waypost'), []])
    await this.#answer()
    this.#send(['EXTERNAL', [Buffer.alloc(0)]])
    await this.#answer()
    await this.#answer()
  }

  addressOf(path: string): Buffer {
    return Buffer.from(path === '/' ? this.#root : `${this.#root}${path.split('/').map(encodeURIComponent).join('/')}`)
  }

  async ask(...[name, ...params]: Command): Promise<readonly Item[]> {
    this.#send([name, params])
    await this.#answer() // It says first that it needs no other sign-in.
    return this.#answer()
  }

  /** Many questions at once, whose answers come in their order. */
  async askAll(commands: readonly Command[]): Promise<(readonly Item[])[]> {
    for (const [name, ...params] of commands) this.#send([name, params])
    const answers = []
    for (const _ of commands) {
      await this.#answer()
      answers.push(await this.#answer())
    }
    return answers
  }

  /** The same, where undefined means that there is nothing here for who asks. */
  async askEach(commands: readonly Command[]): Promise<(readonly Item[] | undefined)[]> {
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

  /** How the server makes of what is there in one revision what the command names. */
  async *askForEdit(
    [name, ...params]: Command,
    revision: number,
  ): AsyncGenerator<readonly [command: string, params: readonly Item[]]> {
    this.#send([name, params])
    await this.#answer()
    this.#send(['set-path', [Buffer.alloc(0), revision, 'false']])
    this.#send(['finish-report', []])
    await this.#answer()
    for (;;) {
      const item = listIn(await this.#next())
      const [command, given] = item
      if (command === 'close-edit' || command === 'abort-edit') break
      if (typeof command !== 'string') throw new TypeError('svnserve said something else than a command.')
      if (command === 'failure') read(item)
      yield [command, listIn(given)]
    }
    this.#send(['success', []])
    await this.#answer()
  }

  /** What stands before the answer, one item after the other. */
  async *askForMany(...[name, ...params]: Command): AsyncGenerator<readonly Item[]> {
    this.#send([name, params])
    await this.#answer()
    for (let item = await this.#next(); item !== 'done'; item = await this.#next()) {
      const list = listIn(item)
      if (list[0] === 'failure') read(list)
      yield list
    }
    await this.#answer()
  }

  /** The strings that follow an answer, up to an empty one. */
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
    return read(listIn(await this.#next()))
  }

  async #next(): Promise<Item> {
    const { value, done } = await this.#items.next()
    if (done) throw new SvnFault('svnserve has ended too early.')
    return value
  }
}

function read([how, content]: readonly Item[]): readonly Item[] {
  if (how === 'success') return listIn(content)
  const errors = listIn(content).map((error) => listIn(error))
  if (errors.some(([code]) => NOT_THERE.has(numberIn(code)))) throw new ApiError('not_found')
  throw new SvnFault(errors.map(([code, message]) => `${numberIn(code)}: ${textIn(message)}`).join('; '))
}

async function* readItems({ stdout }: ChildProcess): AsyncGenerator<Item> {
  const reader = new ItemReader()
  let size = 0
  for await (const piece of stdout ?? []) {
    const bytes = Buffer.from(piece)
    size += bytes.length
    if (size > MOST_BYTES) throw new ApiError('unavailable')
    yield* reader.feed(bytes)
  }
}
