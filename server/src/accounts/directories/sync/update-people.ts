import { sql } from 'kysely'
import { Check } from 'typebox/value'
import { type AuditEntry, recordAuditEntries } from '../../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../../platform/database/db.ts'
import { createWriteContext } from '../../../platform/http/write-context.ts'
import { fold } from '../../login.ts'
import { endLinks } from '../../mails/mailed-link.ts'
import { RealName } from '../../users/schemas.ts'
import { findTakenAddresses } from './taken-addresses.ts'
import type { KnownPerson } from './known-people.ts'
import { findChangedValues, type SyncRun } from './sync-run.ts'

const MAX_NAME_LENGTH = 100
const PERSONAL = '(personal)'

interface PersonUpdate {
  readonly known: KnownPerson
  readonly real_name: string
  readonly email: string | null
  readonly status: KnownPerson['status']
  readonly suspended_from: KnownPerson['suspended_from']
  readonly login: string
}

/** Writes names, addresses, logins at the directory, and accounts that come back, as far as they differ. */
export async function updatePeople(run: SyncRun, known: readonly KnownPerson[]): Promise<void> {
  const { context, origin, counts } = run
  const changed = known.flatMap((one) => (changesOf(one) ? toUpdate(one) : []))
  if (changed.length === 0) return
  await inTransaction(context.db, async (tx) => {
    const taken = await findTakenAddresses(
      tx,
      changed.flatMap(({ known: { email: before, account_id }, email }) =>
        email === null || email === before ? [] : { email, account_id },
      ),
    )
    counts.conflicts += taken.size
    const updates = changed
      .map((update) => (taken.has(fold(update.email ?? '')) ? { ...update, email: update.known.email } : update))
      .filter(differs)
    await writeUpdates(tx, run.directory.name, updates)
    await recordAuditEntries(tx, origin, updates.filter(changesAccount).map(toAuditEntry))
    const work = createWriteContext(tx, origin, undefined)
    for (const { known: before, email, real_name } of updates) {
      if (email !== before.email) await endLinks(tx, before.account_id, [before.email, email])
      if (real_name !== before.real_name)
        for (const rename of context.onRename) await rename(work, before.account_id, before.account_login)
    }
    counts.updated += updates.filter(changesAccount).length
    counts.reactivated += updates.filter(({ known: { status: before }, status }) => before !== status).length
  })
}

function changesOf(known: KnownPerson): object | undefined {
  const { real_name, email, status, suspended_from, login } = toUpdate(known)
  return findChangedValues(
    {
      real_name: known.real_name,
      email: known.email,
      status: known.status,
      suspended_from: known.suspended_from,
      login: known.login,
    },
    { real_name, email, status, suspended_from, login },
  )
}

/** A value that cannot be used here leaves that of the account. Only a suspension by the sync is undone by it. */
function toUpdate(known: KnownPerson): PersonUpdate {
  const { person, status, suspended_from } = known
  const name = toRealName(person.name)
  const comesBack = suspended_from !== null
  return {
    known,
    real_name: name ?? known.real_name,
    email: person.email ?? known.email,
    status: comesBack && status === 'S' ? suspended_from : status,
    suspended_from: null,
    login: person.login,
  }
}

export function toRealName(given: string | undefined): string | undefined {
  const cut = given?.trim().slice(0, MAX_NAME_LENGTH) ?? ''
  return cut !== '' && Check(RealName, cut) ? cut : undefined
}

function differs(update: PersonUpdate): boolean {
  const { known, login, suspended_from } = update
  return changesAccount(update) || login !== known.login || suspended_from !== known.suspended_from
}

function changesAccount({ known, real_name, email, status }: PersonUpdate): boolean {
  return real_name !== known.real_name || email !== known.email || status !== known.status
}

async function writeUpdates(tx: Tx, directory: string, updates: readonly PersonUpdate[]): Promise<void> {
  const rows = updates.map(({ known: { account_id }, known: _known, ...values }) => ({ account_id, ...values }))
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as given (account_id bigint, real_name text, email text, status text, suspended_from text, login text)`
  // In one order everywhere, so that two writers do not wait for each other.
  await sql`select from account where account.id = any(${updates.map(({ known }) => known.account_id)}::bigint[])
    order by account.id for no key update`.execute(tx)
  await sql`
    update account set real_name = given.real_name, email = given.email, status = given.status,
      pending_email = case when account.email is distinct from given.email then null else account.pending_email end,
      version = account.version + 1, rights_epoch = account.rights_epoch + 1
    from ${given} where account.id = given.account_id and account.erased_on is null
      and (account.real_name, account.email, account.status) is distinct from (given.real_name, given.email, given.status)`.execute(
    tx,
  )
  await sql`
    update directory_account link set login = given.login, suspended_from = given.suspended_from
    from ${given} where link.directory = ${directory} and link.account_id = given.account_id
      and (link.login, link.suspended_from) is distinct from (given.login, given.suspended_from)`.execute(tx)
}

function toAuditEntry({ known, real_name, email, status }: PersonUpdate): AuditEntry {
  const changed = findChangedValues(
    { real_name: known.real_name, email: known.email, status: known.status },
    { real_name, email, status },
  )
  const isStatus = known.status !== status
  const personal = Object.keys(changed ?? {}).filter((name) => name !== 'status')
  const masked = Object.fromEntries(personal.map((name) => [name, PERSONAL]))
  return {
    action: isStatus ? 'user.status' : 'user.update',
    object: `users/${known.account_id}`,
    before: { ...masked, ...(isStatus && { status: known.status }) },
    after: { ...masked, ...(isStatus && { status }) },
  }
}
