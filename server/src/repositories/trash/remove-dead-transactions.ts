import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import { joinProject, projectShortname } from '../../projects/project-sql.ts'
import { type SvnFolders, repositoryFolder } from '../disk/svn-folders.ts'
import { runTool } from '../disk/run-tool.ts'

const DEAD_AFTER_MS = 3_600_000
const TRANSACTION_SUFFIX = '.txn'

/** Removes abandoned transactions: their client, or Apache, was killed. */
export async function removeDeadTransactions({ db, log }: Context, places: SvnFolders, now: Date): Promise<void> {
  const { rows } = await sql<{ shortname: string; name: string }>`
    select ${projectShortname} as shortname, repository.name from repository ${joinProject(sql`repository.project_id`)}
    where repository.deleted_on is null order by repository.id`.execute(db)
  for (const repository of rows) {
    const folder = repositoryFolder(places, repository)
    for (const dead of await deadTransactions(folder, now))
      await removeTransaction(folder, dead).catch((error: unknown) =>
        log.warn({ err: error, folder }, 'a transaction could not be removed'),
      )
  }
}

/** Subversion ignores a transaction that was interrupted at its creation; remove its few files directly. */
async function removeTransaction(folder: string, dead: string): Promise<void> {
  await runTool('svnadmin', ['rmtxns', '--quiet', folder, '--', dead])
  for (const part of [`transactions/${dead}.txn`, `txn-protorevs/${dead}.rev`, `txn-protorevs/${dead}.rev-lock`])
    await rm(join(folder, 'db', part), { recursive: true, force: true })
}

/** Transactions without a write for an hour. */
export async function deadTransactions(folder: string, now: Date): Promise<string[]> {
  const entries = await readdir(join(folder, 'db', 'transactions')).catch(() => [])
  const names = entries
    .filter((entry) => entry.endsWith(TRANSACTION_SUFFIX))
    .map((entry) => entry.slice(0, -TRANSACTION_SUFFIX.length))
  const dead: string[] = []
  for (const name of names) {
    const parts = [join('transactions', `${name}${TRANSACTION_SUFFIX}`), join('txn-protorevs', `${name}.rev`)]
    const times = await Promise.all(parts.map((part) => stat(join(folder, 'db', part)).catch(() => undefined)))
    const last = Math.max(...times.map((time) => time?.mtimeMs ?? 0))
    if (last > 0 && last < now.getTime() - DEAD_AFTER_MS) dead.push(name)
  }
  return dead
}
