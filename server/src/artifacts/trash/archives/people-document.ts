import { sql } from 'kysely'
import { type UserRow, usersByIdSql } from '../../../accounts/users/user.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { xmlDocument, xmlElement } from '../../../platform/wire/xml-element.ts'

/** A person named in an archive. */
export interface ArchivedPerson {
  readonly id: number
  readonly username: string
  readonly real_name: string
}

/**
 * Locks the accounts until the transaction ends: a concurrent rename or erasure waits, and then finds the new archives.
 */
export async function findPeople(tx: Tx, ids: Iterable<number>): Promise<ArchivedPerson[]> {
  const { rows } = await sql<UserRow>`
    ${usersByIdSql(sql`${[...ids]}::bigint[]`)} order by account.id for share of account`.execute(tx)
  return rows.map(({ id, login, real_name }) => ({ id, username: login, real_name }))
}

/** `people.xml`: the only part of an archive with names of people. */
export function writePeopleDocument(people: readonly ArchivedPerson[]): string {
  const users = people.map(({ id, username, real_name }) =>
    xmlElement('user', { id }, xmlElement('username', {}, username), xmlElement('real_name', {}, real_name)),
  )
  return xmlDocument(xmlElement('people', {}, ...users))
}
