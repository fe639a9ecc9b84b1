import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchForCanaries } from '../fixtures/canaries.ts'
import { PASSWORD, type TestPerson } from '../fixtures/people.ts'
import { freePort } from '../../src/platform/operation/free-port.ts'

export interface Said {
  /** The exit code. */
  readonly code: number
  readonly out: string
  /** The error output. */
  readonly error: string
}

/** Settings that separate a server and its Apache from others. */
export async function svnEnvironment(): Promise<Record<string, string> & { WAYPOST_SVN_ROOT: string }> {
  const listen = await freePort()
  return {
    WAYPOST_SVN_ROOT: join(tmpdir(), `waypost-svn-${listen}-${process.pid}`),
    WAYPOST_SVN_LISTEN: `127.0.0.1:${listen}`,
    WAYPOST_SVN_URL: `http://127.0.0.1:${listen}/svn`,
  }
}

/**
 * The real svn client, called with the login of the caller and without an auth cache. A commit returns before it is
 * recorded: `settled` waits for that.
 */
export function createSvnClient(work: string, settled = async () => {}) {
  const start = (program: string, args: readonly string[], as?: TestPerson, cwd = work): Promise<Said> =>
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
  const run: typeof start = async (...how) => {
    const said = await start(...how)
    await settled()
    return said
  }
  const identity = (as: TestPerson, secret = PASSWORD) => [
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
    svn: (as: TestPerson, ...args: readonly string[]) => run('svn', [...args, ...identity(as)], as),
    /** With another secret than the common password. */
    svnWith: (as: TestPerson, secret: string, ...args: readonly string[]) =>
      run('svn', [...args, ...identity(as, secret)], as),
    svnmucc: (as: TestPerson, ...args: readonly string[]) => run('svnmucc', [...identity(as), ...args], as),
    /** Puts a file with this content at a URL in one commit. */
    put: async (as: TestPerson, url: string, content: string, message: string): Promise<Said> => {
      const file = join(work, `put-${crypto.randomUUID()}`)
      await writeFile(file, content)
      return run('svnmucc', [...identity(as), '-m', message, 'put', file, url], as)
    },
  }
}
