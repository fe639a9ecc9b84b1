import { sql } from 'kysely'
import { type AuditEntry, recordAuditEntries } from '../../../platform/database/audit.ts'
import type { Tx } from '../../../platform/database/db.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { WriteContext } from '../../../platform/http/write-context.ts'
import { plainLogin } from '../../identity/create-identity-account.ts'
import { fold } from '../../login.ts'
import { findTakenLogins, isAllowedLogin } from '../../users/login-rules.ts'
import type { DirectoryPerson } from '../directory-person.ts'
import { linkDirectoryAccount } from '../link-directory-account.ts'
import type { SyncRun } from './sync-run.ts'
import { findTakenAddresses, lockNames } from './taken-addresses.ts'
import { toRealName } from './update-people.ts'

const MAX_LOGIN_ATTEMPTS = 50
const PERSONAL = '(personal)'

interface AdoptedPerson {
  readonly person: DirectoryPerson
  readonly account_id: AccountId
}

interface Adoption {
  readonly accounts: readonly AdoptedPerson[]
  readonly created: number
  readonly linked: number
  readonly conflicts: number
  readonly unusable: number
}

type AddressedPerson = DirectoryPerson & { readonly email: string }

/** Links people to the accounts with their addresses, and makes accounts for the others, as the settings allow. */
export async function adoptPeople(
  run: SyncRun,
  work: WriteContext,
  people: readonly DirectoryPerson[],
): Promise<Adoption> {
  const { new_accounts, match_by } = run.directory.settings
  const addressed = people.flatMap((person) => (person.email === undefined ? [] : { ...person, email: person.email }))
  const unusable = new_accounts === 'by_sync' ? people.length - addressed.length : 0
  const taken = await findTakenAddresses(work.tx, addressed)
  const linked = match_by === 'email' ? await linkByAddress(run, work, addressed, taken) : []
  const isLinked = new Set(linked.map(({ person }) => person.entryId))
  const conflicts = addressed.filter(({ email, entryId }) => taken.has(fold(email)) && !isLinked.has(entryId)).length
  const free = addressed.filter(({ email }) => !taken.has(fold(email)))
  const created = new_accounts === 'by_sync' ? await makeAccounts(run, work, free) : []
  return { accounts: [...linked, ...created], created: created.length, linked: linked.length, conflicts, unusable }
}

/** Accounts that are linked, of site administrators, or that share an address stay as they are. */
async function linkByAddress(
  { directory, context }: SyncRun,
  work: WriteContext,
  people: readonly AddressedPerson[],
  taken: ReadonlySet<string>,
): Promise<AdoptedPerson[]> {
  const wanted = people.filter(({ email }) => taken.has(fold(email)))
  if (wanted.length === 0) return []
  const { rows } = await sql<{ folded: string; id: AccountId }>`
    select folded(account.email) as folded, min(account.id) as id from account
    where folded(account.email) in (select folded(given) from unnest(${wanted.map(({ email }) => email)}::text[]) given)
    group by folded(account.email)
    having count(*) = 1 and not bool_or(account.is_site_admin or account.erased_on is not null or exists (
      select from directory_account where directory_account.account_id = account.id))`.execute(work.tx)
  const byAddress = new Map(rows.map(({ folded, id }) => [folded, id]))
  const linked: AdoptedPerson[] = []
  for (const person of wanted) {
    const account_id = byAddress.get(fold(person.email))
    if (account_id === undefined) continue
    byAddress.delete(fold(person.email)) // A second entry with this address finds none.
    const { entryId, login } = person
    const link = { directory: directory.name, entry_id: entryId, account_id, login }
    await linkDirectoryAccount(work, link, context.clock.now())
    linked.push({ person, account_id })
  }
  return linked
}

async function makeAccounts(
  { directory, context, origin }: SyncRun,
  { tx }: WriteContext,
  people: readonly AddressedPerson[],
): Promise<AdoptedPerson[]> {
  if (people.length === 0) return []
  const logins = await chooseLogins(tx, people)
  const rows = people.flatMap((person) => {
    const login = logins.get(person.entryId)
    if (login === undefined) return []
    const { entryId: entry_id, email, name, login: entry_login } = person
    return { entry_id, entry_login, login, email, real_name: toRealName(name) ?? login }
  })
  const { rows: made } = await sql<{ entry_id: string; id: AccountId; login: string }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as given (entry_id text, entry_login text, login text, email text, real_name text)
    ), made as (
      insert into account (login, real_name, email, status, created_on)
      select login, real_name, email, 'A', ${context.clock.now()} from given returning id, login
    ), linked as (
      insert into directory_account (directory, entry_id, account_id, login, created_on)
      select ${directory.name}, given.entry_id, made.id, given.entry_login, ${context.clock.now()}
      from made join given on given.login = made.login
    )
    select given.entry_id, made.id, made.login from made join given on given.login = made.login`.execute(tx)
  await recordAuditEntries(
    tx,
    origin,
    made.map(({ id }): AuditEntry => madeEntry(id, directory.name)),
  )
  const accounts = new Map(made.map(({ entry_id, id }) => [entry_id, id]))
  return people.flatMap((person) => {
    const account_id = accounts.get(person.entryId)
    return account_id === undefined ? [] : { person, account_id }
  })
}

function madeEntry(id: AccountId, directory: string): AuditEntry {
  const after = { username: PERSONAL, real_name: PERSONAL, email: PERSONAL, status: 'A', directory }
  return { action: 'user.create', object: `users/${id}`, after }
}

/** A free login for each person: that of the directory, or the same with a number. Locks keep them free. */
async function chooseLogins(tx: Tx, people: readonly DirectoryPerson[]): Promise<Map<string, string>> {
  const chosen = new Map<string, string>()
  const used = new Set<string>()
  let waiting = people.map(({ entryId, login }) => {
    const plain = plainLogin(login)
    return { entryId, base: isAllowedLogin(plain) ? plain : 'member' }
  })
  for (let number = 1; number <= MAX_LOGIN_ATTEMPTS && waiting.length > 0; number++) {
    const candidates = waiting.map((one) => ({ ...one, login: number === 1 ? one.base : `${one.base}${number}` }))
    await lockNames(tx, 'login', [...new Set(candidates.map(({ login }) => login))])
    const taken = await findTakenLogins(
      tx,
      candidates.map(({ login }) => login),
    )
    waiting = candidates.filter(({ entryId, login }) => {
      if (!isAllowedLogin(login) || taken.has(login) || used.has(login)) return true
      used.add(login)
      chosen.set(entryId, login)
      return false
    })
  }
  return chosen
}
