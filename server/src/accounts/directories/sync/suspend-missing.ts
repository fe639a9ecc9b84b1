import { OrFilter } from 'ldapts'
import { sql } from 'kysely'
import { ApiError } from '../../../platform/messages/errors.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { createWriteContext, type WriteContext } from '../../../platform/http/write-context.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import { type LockedUser, maySignIn, suspendUser } from '../../users/update-user.ts'
import { fullUserColumns } from '../../users/user.ts'
import type { DirectoryConnection } from '../directory-connection.ts'
import { idFilter, personAttributes, personFilter, readPerson } from '../directory-person.ts'
import type { SyncRun } from './sync-run.ts'

const LINK_PAGE_SIZE = 10_000
/** Ids in one filter. */
const LOOK_UP_BATCH_SIZE = 50

export interface MissingPerson {
  readonly entry_id: string
  readonly account_id: AccountId
}

/** Linked accounts that may sign in here, and whose entries the complete read has not found. */
export async function findMissing({ context, directory, seen }: SyncRun): Promise<MissingPerson[]> {
  const missing: MissingPerson[] = []
  for (let after = ''; ; ) {
    const { rows } = await sql<MissingPerson & { is_active: boolean }>`
      select link.entry_id, link.account_id, account.status in ('A', 'R') as is_active
      from directory_account link join account on account.id = link.account_id
      where link.directory = ${directory.name} and link.entry_id > ${after} collate "C"
      order by link.entry_id collate "C" limit ${LINK_PAGE_SIZE}`.execute(context.db)
    missing.push(...rows.filter(({ entry_id, is_active }) => is_active && !seen.has(entry_id)))
    const last = rows.at(-1)
    if (rows.length < LINK_PAGE_SIZE || !last) return missing
    after = last.entry_id
  }
}

/** Asks for each of them by its id: a page that the directory left out must not suspend anybody. */
export async function confirmMissing(
  { directory: { settings } }: SyncRun,
  connection: DirectoryConnection,
  missing: readonly MissingPerson[],
): Promise<MissingPerson[]> {
  const confirmed: MissingPerson[] = []
  for (let start = 0; start < missing.length; start += LOOK_UP_BATCH_SIZE) {
    const part = missing.slice(start, start + LOOK_UP_BATCH_SIZE)
    const entries = await connection.search({
      base: settings.people_base,
      filter: personFilter(
        settings,
        new OrFilter({ filters: part.map(({ entry_id }) => idFilter(settings, entry_id)) }),
      ),
      attributes: personAttributes(settings),
      maxEntries: part.length,
    })
    const found = new Set(entries.map((entry) => readPerson(entry, settings)?.entryId))
    confirmed.push(...part.filter(({ entry_id }) => !found.has(entry_id)))
  }
  return confirmed
}

/** Each in a transaction of its own, so that nobody waits for a lock of many. */
export async function suspendMissing(run: SyncRun, missing: readonly MissingPerson[]): Promise<void> {
  const { context, origin, counts, notes, directory } = run
  for (const { account_id } of missing) {
    try {
      const isSuspended = await inTransaction(context.db, (tx) =>
        suspendOne(createWriteContext(tx, origin, 'user.update'), directory.name, account_id),
      )
      if (isSuspended) counts.suspended++
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'rule_violated') throw error
      notes.push(`The account ${account_id} is missing, but the last site administrator.`)
    }
  }
}

async function suspendOne(work: WriteContext, directory: string, id: AccountId): Promise<boolean> {
  const { rows } = await sql<LockedUser>`select ${fullUserColumns} from account where account.id = ${id}
    for update of account`.execute(work.tx)
  const [user] = rows
  if (!user || user.is_erased || !maySignIn(user.status)) return false
  await suspendUser(work, user)
  await sql`update directory_account set suspended_from = ${user.status}
    where directory = ${directory} and account_id = ${id}`.execute(work.tx)
  return true
}
