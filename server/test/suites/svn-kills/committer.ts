import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestPerson } from '../../fixtures/people.ts'
import type { createSvnClient, Said } from '../../peers/svn-client.ts'

type SvnClient = ReturnType<typeof createSvnClient>

const RETRY_DELAY_MS = 250
const COMMIT_TIMEOUT_MS = 120_000

interface Committing {
  readonly client: SvnClient
  readonly person: TestPerson
  readonly url: string
  readonly number: number
  /** All error messages of failed commits. */
  readonly refusals: string[]
}

export interface Committer {
  /** Makes one commit, and retries until it succeeds. The token is unique to its message. */
  commit(token: string, message: string, size: number): Promise<void>
}

/** A client with its own working copy, which retries until its change is a revision. */
export function createCommitter({ client, person, url, number, refusals }: Committing): Committer {
  const name = `client-${number}`
  const copy = join(client.work, name)
  let isThere = false

  /** Retries a read until it succeeds. */
  const look = async (...args: readonly string[]): Promise<Said> => {
    for (const end = Date.now() + COMMIT_TIMEOUT_MS; ; await pause(RETRY_DELAY_MS)) {
      const said = await client.svn(person, ...args)
      if (said.code === 0) return said
      if (Date.now() > end) throw new Error(`svn ${args.join(' ')}: ${said.error}`)
    }
  }
  /** A disconnected client does not know whether its commit succeeded. */
  const isMade = async (token: string) => (await look('log', '--search', token, url)).out.includes(token)

  const attempt = async (message: string): Promise<Said> => {
    if (isThere) return client.svn(person, 'commit', '-m', message, copy)
    return client.put(person, `${url}/trunk/${name}`, '', message)
  }
  return {
    async commit(token, message, size) {
      const text = `${message} ${token}`
      if (isThere) await writeFile(join(copy, name), randomBytes(size))
      for (const end = Date.now() + COMMIT_TIMEOUT_MS; ; await pause(RETRY_DELAY_MS)) {
        const said = await attempt(text)
        if (said.code === 0) break
        refusals.push(said.error)
        if (await isMade(token)) break
        if (Date.now() > end) throw new Error(`It was never committed: ${said.error}`)
        if (isThere) await client.svn(person, 'cleanup', copy)
      }
      if (isThere) {
        await client.svn(person, 'cleanup', copy)
        await look('update', '--accept', 'mine-full', copy)
      } else {
        await look('checkout', '--depth', 'files', `${url}/trunk`, copy)
        isThere = true
      }
    },
  }
}
