import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import { itsProject, shortnameOf } from '../../projects/its-project.ts'
import { type Places, repositoryIn } from '../disk/places.ts'
import { runTool } from '../disk/run-tool.ts'

const LONGEST_PAUSE = 3_600_000
const ENDING = '.txn'

/** Commits that nobody goes on with: their client, or Apache, was killed. */
export async function removeDeadTransactions({ db, log }: Context, places: Places, now: Date): Promise<void> {
  const { rows } = await sql<{ shortname: string; name: string }>`
    select ${shortnameOf} as shortname, repository.name from repository ${itsProject(sql`repository.project_id`)}
    where repository.deleted_on is null order by repository.id`.execute(db)
  for (const repository of rows) {
    const folder = repositoryIn(places, repository)
    for (const dead of await deadTransactions(folder, now))
      await remove(folder, dead).catch((error: unknown) =>
        log.warn({ err: error, folder }, 'a transaction could not be removed'),
      )
  }
}

/** One that was cut off while it began is none to Subversion, which leaves it as it is: only a few files. */
async function remove(folder: string, dead: string): Promise<void> {
  await runTool('svnadmin', ['rmtxns', '--quiet', folder, '--', dead])
  for (const part of [`transactions/${dead}.txn`, `txn-protorevs/${dead}.rev`, `txn-protorevs/${dead}.rev-lock`])
    await rm(join(folder, 'db', part), { recursive: true, force: true })
}

/** Transactions of a repository into which nothing was written for an hour. */
export async function deadTransactions(folder: string, now: Date): Promise<string[]> {
  const entries = await readdir(join(folder, 'db', 'transactions')).catch(() => [])
  const names = entries.filter((entry) => entry.endsWith(ENDING)).map((entry) => entry.slice(0, -ENDING.length))
  const dead: string[] = []
  for (const name of names) {
    const parts = [join('transactions', `${name}${ENDING}`), join('txn-protorevs', `${name}.rev`)]
    const times = await Promise.all(parts.map((part) => stat(join(folder, 'db', part)).catch(() => undefined)))
    const last = Math.max(...times.map((time) => time?.mtimeMs ?? 0))
    if (last > 0 && last < now.getTime() - LONGEST_PAUSE) dead.push(name)
  }
  return dead
}
