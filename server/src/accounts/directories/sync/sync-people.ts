import { inTransaction } from '../../../platform/database/db.ts'
import { createWriteContext } from '../../../platform/http/write-context.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { DirectoryPerson } from '../directory-person.ts'
import { normalizeDn } from '../normalize-dn.ts'
import { adoptPeople } from './adopt-people.ts'
import { findKnownPeople, type KnownPerson } from './known-people.ts'
import type { SyncRun } from './sync-run.ts'
import { updatePeople } from './update-people.ts'

/** People without an account are added in smaller parts, because each takes locks on its login and address. */
const ADOPTION_BATCH_SIZE = 200

/** Stores one page of people: changed ones are updated, new ones linked or made. Nothing else is written. */
export async function syncPeople(run: SyncRun, page: readonly DirectoryPerson[]): Promise<void> {
  const people = page.filter(({ entryId }) => !run.seen.has(entryId))
  for (const { entryId } of people) run.seen.add(entryId)
  const { context, origin, directory } = run
  const known = await findKnownPeople(context.db, directory.name, people)
  await updatePeople(run, known)
  for (const { person, account_id } of known) noteMember(run, person, account_id)

  const { new_accounts, match_by } = directory.settings
  if (new_accounts !== 'by_sync' && match_by !== 'email') return
  const isKnown = new Set(known.map(({ person }: KnownPerson) => person.entryId))
  const strangers = people.filter(({ entryId }) => !isKnown.has(entryId))
  for (let start = 0; start < strangers.length; start += ADOPTION_BATCH_SIZE) {
    const part = strangers.slice(start, start + ADOPTION_BATCH_SIZE)
    const adopted = await inTransaction(context.db, (tx) =>
      adoptPeople(run, createWriteContext(tx, origin, undefined), part),
    )
    run.counts.created += adopted.created
    run.counts.linked += adopted.linked
    run.counts.conflicts += adopted.conflicts
    run.counts.unusable += adopted.unusable
    for (const { person, account_id } of adopted.accounts) noteMember(run, person, account_id)
  }
}

function noteMember({ members }: SyncRun, { dn, login }: DirectoryPerson, account: AccountId): void {
  if (!members) return
  members.set(normalizeDn(dn) ?? dn, account)
  members.set(login, account)
}
