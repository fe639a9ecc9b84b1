import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchForCanaries } from './canaries.ts'
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

/**
 * The real svn client, each call with the login of its caller, and nothing remembered. A commit is answered before it is
 * recorded: `settled` waits for that.
 */
export function createSvnClient(work: string, settled = async () => {}) {
  const start = (program: string, args: readonly string[], as?: Person, cwd = work): Promise<Said> =>
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
