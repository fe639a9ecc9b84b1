import type { Filter } from 'ldapts'
import { inTransaction } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { createWriteContext } from '../../platform/http/write-context.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import type { Context } from '../../platform/operation/context.ts'
import { fold } from '../login.ts'
import { SignInRefused } from '../identity/identity-refusal.ts'
import { type Directory, findDirectory, loadDirectories } from './directory.ts'
import { DirectoryUnavailable } from './directory-error.ts'
import { type DirectoryPerson, idFilter, loginFilter } from './directory-person.ts'
import { matchDirectoryAccount } from './match-directory-account.ts'
import { verifyInDirectory } from './verify-in-directory.ts'

const RETRY_AFTER_SECONDS = 10

/** Whether the password is right at the entry that an account belongs to. */
export async function isDirectoryPassword(
  context: Context,
  link: { readonly directory: string; readonly entry_id: string },
  password: string,
): Promise<boolean> {
  const directory = await findDirectory(context.db, link.directory)
  if (!directory?.settings.is_enabled) return false
  const filter = idFilter(directory.settings, link.entry_id)
  return (await tryPassword(context, directory, filter, password)) !== undefined
}

/** The account of a person who is unknown here, by their password at one of the directories that may give accounts. */
export async function signInNewPerson(
  context: Context,
  directories: readonly Directory[],
  attempt: { readonly login: string; readonly address: string; readonly request_id: string | null },
  password: string,
): Promise<AccountId | undefined> {
  let unavailable: unknown
  for (const directory of directories) {
    try {
      const filter = loginFilter(directory.settings, fold(attempt.login))
      const person = await tryPassword(context, directory, filter, password)
      if (person) return await adoptPerson(context, directory, person, attempt)
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'directory_unavailable') throw error
      unavailable = error
    }
  }
  if (unavailable !== undefined) throw unavailable
  return undefined
}

/** Directories that may give an account to a person who signs in for the first time. */
export async function findOpenDirectories({ db }: Context): Promise<Directory[]> {
  const all = await loadDirectories(db)
  return all.filter(
    ({ settings }) => settings.is_enabled && (settings.new_accounts !== 'never' || settings.match_by === 'email'),
  )
}

async function tryPassword(
  context: Context,
  directory: Directory,
  filter: Filter,
  password: string,
): Promise<DirectoryPerson | undefined> {
  try {
    return await verifyInDirectory(context, directory, filter, password)
  } catch (error) {
    if (!(error instanceof DirectoryUnavailable)) throw error
    context.log.warn({ directory: directory.name, details: error.message }, 'a directory gave no answer to a sign-in')
    throw new ApiError('directory_unavailable').with({ 'retry-after': String(RETRY_AFTER_SECONDS) })
  }
}

async function adoptPerson(
  context: Context,
  directory: Directory,
  person: DirectoryPerson,
  { address, request_id }: { readonly address: string; readonly request_id: string | null },
): Promise<AccountId | undefined> {
  const origin = { viewer: ANONYMOUS_VIEWER, request_id, address }
  try {
    return await inTransaction(context.db, (tx) =>
      matchDirectoryAccount(createWriteContext(tx, origin, undefined), context, directory, person),
    )
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error
    context.log.info(
      { directory: directory.name, code: error.code, details: error.message },
      'a sign-in by a directory is refused',
    )
    return undefined
  }
}
