import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { startApache } from '../src/repositories/disk/start-apache.ts'
import { serveSubversion } from '../src/repositories/serve-subversion.ts'
import { searchForCanaries } from './canaries.ts'
import { answerTo, basic } from './client.ts'
import { startWorld } from './harness.ts'
import { PASSWORD, type Person } from './people.ts'
import { freePort } from './server-process.ts'

export interface Said {
  /** 0: it did what it was told. */
  readonly code: number
  readonly out: string
  /** What it says to its user when it did not. */
  readonly error: string
}

/** How to keep a server and its Apache off the places of others. */
export async function svnEnvironment(): Promise<Record<string, string> & { WAYPOST_SVN_ROOT: string }> {
  const [listen, signIn] = [await freePort(), await freePort()]
  return {
    WAYPOST_SVN_ROOT: join(tmpdir(), `waypost-svn-${listen}-${process.pid}`),
    WAYPOST_SVN_LISTEN: `127.0.0.1:${listen}`,
    WAYPOST_SVN_SIGN_IN: `127.0.0.1:${signIn}`,
    WAYPOST_SVN_URL: `http://127.0.0.1:${listen}/svn`,
  }
}

/** A world with a real Apache in front of its repositories, seeded once. */
export async function startSvnWorld(more: Record<string, string> = {}) {
  const environment = { ...(await svnEnvironment()), ...more }
  const world = await startWorld({ environment, seedOnce: true })
  const { config } = world.context
  let serving = await serveSubversion(world.context)
  const apache = await startApache(config)
  const work = await mkdtemp(join(tmpdir(), 'waypost-svn-client-'))
  afterAll(async () => {
    await apache.stop()
    await serving.close()
    for (const folder of [work, environment.WAYPOST_SVN_ROOT]) await rm(folder, { recursive: true, force: true })
  })
  const origin = `http://127.0.0.1:${config.WAYPOST_SVN_LISTEN.port}`
  const client = createSvnClient(work)
  return {
    ...world,
    ...client,
    apache,
    root: environment.WAYPOST_SVN_ROOT,
    svnOrigin: origin,
    /** One bare request to Apache. */
    dav: (
      method: string,
      path: string,
      options: { as?: Person; headers?: Record<string, string>; body?: string } = {},
    ) => dav(origin, method, path, options),
    /** While the server does not answer Apache and the hooks. */
    whileAway: async <T>(doing: () => Promise<T>): Promise<T> => {
      await serving.close()
      try {
        return await doing()
      } finally {
        serving = await serveSubversion(world.context)
      }
    },
  }
}

/** The real svn client, each call with the login of its caller, and nothing remembered. */
export function createSvnClient(work: string) {
  const run = (program: string, args: readonly string[], as?: Person, cwd = work): Promise<Said> =>
    new Promise((resolve) => {
      execFile(
        program,
        [...args],
        { cwd, env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', HOME: work }, timeout: 60_000, maxBuffer: 2 ** 26 },
        (error, out, said) => {
          searchForCanaries(out + said, as, `${program} ${args.join(' ')}`)
          const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0
          resolve({ code, out, error: said })
        },
      )
    })
  const identity = (as: Person, secret = PASSWORD) => [
    '--non-interactive',
    '--no-auth-cache',
    '--config-dir',
    join(work, 'config'),
    '--username',
    as.login,
    '--password',
    secret,
  ]
  return {
    work,
    run,
    svn: (as: Person, ...args: readonly string[]) => run('svn', [...args, ...identity(as)], as),
    /** With another secret than the password of everybody. */
    svnWith: (as: Person, secret: string, ...args: readonly string[]) =>
      run('svn', [...args, ...identity(as, secret)], as),
    svnmucc: (as: Person, ...args: readonly string[]) => run('svnmucc', [...identity(as), ...args], as),
    /** Puts a file of this content at an address, as one commit. */
    put: async (as: Person, url: string, content: string, message: string): Promise<Said> => {
      const file = join(work, `put-${crypto.randomUUID()}`)
      await writeFile(file, content)
      return run('svnmucc', [...identity(as), '-m', message, 'put', file, url], as)
    },
  }
}

async function dav(
  origin: string,
  method: string,
  path: string,
  { as, headers = {}, body }: { as?: Person; headers?: Record<string, string>; body?: string },
) {
  const outgoing = request(origin, { method, path, headers: { ...(as && basic(as)), ...headers } })
  outgoing.end(body)
  const incoming = await answerTo(outgoing)
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString()
  searchForCanaries(`${JSON.stringify(incoming.headers)}${text}`, as, `${method} ${path}`)
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text }
}
