import { sql } from 'kysely'
import type { Db } from '../../../platform/database/db.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { AccountStatus } from '../../account.ts'
import type { DirectoryPerson } from '../directory-person.ts'

/** An account that is linked to an entry, with the state that the entry decides about. */
export interface KnownPerson {
  readonly person: DirectoryPerson
  readonly account_id: AccountId
  readonly account_login: string
  readonly real_name: string
  readonly email: string | null
  readonly status: AccountStatus
  readonly login: string | null
  readonly suspended_from: 'A' | 'R' | null
}

type KnownRow = Omit<KnownPerson, 'person'> & { readonly entry_id: string }

export async function findKnownPeople(
  db: Db,
  directory: string,
  people: readonly DirectoryPerson[],
): Promise<KnownPerson[]> {
  const { rows } = await sql<KnownRow>`
    select link.entry_id, link.account_id, link.login, link.suspended_from, account.login as account_login,
      account.real_name, account.email, account.status
    from directory_account link join account on account.id = link.account_id
    where link.directory = ${directory} and link.entry_id = any(${people.map(({ entryId }) => entryId)}::text[])`.execute(
    db,
  )
  const byEntry = new Map(rows.map((row) => [row.entry_id, row]))
  return people.flatMap((person) => {
    const row = byEntry.get(person.entryId)
    return row ? { ...row, person } : []
  })
}
