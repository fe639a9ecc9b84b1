import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Person } from '../people.ts'
import type { createSvnClient, Said } from '../svn-client.ts'

type SvnClient = ReturnType<typeof createSvnClient>

const BETWEEN_TRIES = 250
const PATIENCE = 120_000

interface Committing {
  readonly client: SvnClient
  readonly person: Person
  readonly url: string
  readonly number: number
  /** Everything that a client was told when a commit failed. */
  readonly refusals: string[]
}

export interface Committer {
  /** Makes one commit, whatever happens meanwhile. The token stands in its message, and in no other. */
  commit(token: string, message: string, size: number): Promise<void>
}

/** Somebody with a working copy of his own, who tries until his change is a revision. */
export function createCommitter({ client, person, url, number, refusals }: Committing): Committer {
  const name = `client-${number}`
  const copy = join(client.work, name)
  let isThere = false

  /** Until an answer comes: to a look there always is one, in the end. */
  const look = async (...args: readonly string[]): Promise<Said> => {
    for (const end = Date.now() + PATIENCE; ; await pause(BETWEEN_TRIES)) {
      const said = await client.svn(person, ...args)
      if (said.code === 0) return said
      if (Date.now() > end) throw new Error(`svn ${args.join(' ')}: ${said.error}`)
    }
  }
  /** A client that was cut off does not know. */
  const isMade = async (token: string) => (await look('log', '--search', token, url)).out.includes(token)

  const attempt = async (message: string): Promise<Said> => {
    if (isThere) return client.svn(person, 'commit', '-m', message, copy)
    return client.put(person, `${url}/trunk/${name}`, '', message)
  }
  return {
    async commit(token, message, size) {
      const text = `${message} ${token}`
      if (isThere) await writeFile(join(copy, name), randomBytes(size))
      for (const end = Date.now() + PATIENCE; ; await pause(BETWEEN_TRIES)) {
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
