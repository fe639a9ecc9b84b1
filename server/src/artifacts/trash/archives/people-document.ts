import { sql } from 'kysely'
import { type UserRow, usersWith } from '../../../accounts/users/user.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { xmlDocument, xmlElement } from '../../../platform/wire/xml-element.ts'

/** Somebody whom an archive names. */
export interface ArchivedPerson {
  readonly id: number
  readonly username: string
  readonly real_name: string
}

/**
 * As they are called until the transaction ends: whoever is renamed or erased meanwhile waits, and finds the archives
 * that it has written.
 */
export async function findPeople(tx: Tx, ids: Iterable<number>): Promise<ArchivedPerson[]> {
  const { rows } = await sql<UserRow>`
    ${usersWith(sql`${[...ids]}::bigint[]`)} order by account.id for share of account`.execute(tx)
  return rows.map(({ id, login, real_name }) => ({ id, username: login, real_name }))
}

/** `people.xml`: the one place of an archive that says who somebody is. */
export function writePeopleDocument(people: readonly ArchivedPerson[]): string {
  const users = people.map(({ id, username, real_name }) =>
    xmlElement('user', { id }, xmlElement('username', {}, username), xmlElement('real_name', {}, real_name)),
  )
  return xmlDocument(xmlElement('people', {}, ...users))
}
