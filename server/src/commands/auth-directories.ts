import { createDirectory } from '../accounts/directories/create-directory.ts'
import { diagnoseDirectory } from '../accounts/directories/diagnose-directory.ts'
import { type Directory, findDirectory, loadDirectories } from '../accounts/directories/directory.ts'
import { replaceDirectoryLink } from '../accounts/directories/link-directory-account.ts'
import { syncDirectory } from '../accounts/directories/sync/sync-directory.ts'
import { updateDirectory } from '../accounts/directories/update-directory.ts'
import { inTransaction } from '../platform/database/db.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import { createWriteContext } from '../platform/http/write-context.ts'
import type { Context } from '../platform/operation/context.ts'
import { callRoute, OPERATOR, SHELL_ORIGIN } from './call-route.ts'
import { print, table } from './print.ts'

/** Makes the directory, or gives it the members of the file; others stay, and so does its password. */
export async function loadDirectory(context: Context, given: object & { readonly name: string }): Promise<string> {
  const { name, ...changes } = given
  if (!(await findDirectory(context.db, name))) {
    await callRoute(context, createDirectory, OPERATOR, { body: { ...given } })
    return `${name} is made.`
  }
  await callRoute(context, updateDirectory, OPERATOR, { params: { name }, body: changes })
  return `${name} is up to date.`
}

/** Prints what works and what does not; true: something is wrong. */
export async function testDirectories(
  context: Context,
  directories: readonly Directory[],
  marks: Readonly<Record<'ok' | 'warning' | 'wrong', string>>,
): Promise<boolean> {
  let isWrong = false
  for (const directory of directories) {
    const findings = await diagnoseDirectory(context, directory)
    print(`${directory.name} (${directory.settings.urls.join(', ')})`)
    print(table(findings.map(({ check, state, detail }) => [marks[state], check, detail])))
    isWrong ||= findings.some(({ state }) => state === 'wrong')
  }
  return isWrong
}

export async function linkToDirectory(
  context: Context,
  account_id: AccountId,
  directory: string,
  entry_id: string,
): Promise<void> {
  await inTransaction(context.db, (tx) =>
    replaceDirectoryLink(
      createWriteContext(tx, SHELL_ORIGIN, undefined),
      { directory, entry_id, account_id, login: null },
      context.clock.now(),
    ),
  )
}

/** Runs the sync now, whatever its interval is. */
export async function syncDirectories(context: Context, name: string | undefined): Promise<void> {
  const all = await loadDirectories(context.db)
  const wanted =
    name === undefined ? all.filter(({ settings }) => settings.is_enabled) : all.filter((each) => each.name === name)
  if (wanted.length === 0)
    throw new Error(name === undefined ? 'There is no directory.' : `There is no directory ${name}.`)
  for (const directory of wanted) {
    const begun = performance.now()
    const counts = await syncDirectory(context, directory)
    if (!counts) {
      print(`${directory.name}: another run is under way.`)
      process.exitCode = 1
      continue
    }
    print(`${directory.name}: ${Math.round((performance.now() - begun) / 100) / 10} s`)
    print(table(Object.entries(counts).map(([what, count]) => [what, String(count)])))
  }
}
