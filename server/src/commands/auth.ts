import { readFile } from 'node:fs/promises'
import { Argument, type Command } from 'commander'
import { findDirectory, loadDirectories } from '../accounts/directories/directory.ts'
import { createIdentityProvider } from '../accounts/identity/create-identity-provider.ts'
import { diagnoseProvider } from '../accounts/identity/diagnose-provider.ts'
import { findProvider, loadProviders } from '../accounts/identity/identity-provider.ts'
import { linkIdentity } from '../accounts/identity/link-identity.ts'
import { updateIdentityProvider } from '../accounts/identity/update-identity-provider.ts'
import { findViewer } from '../accounts/sign-in/find-viewer.ts'
import { updateSettings } from '../administration/update-settings.ts'
import { isRecord } from '../platform/wire/schema-shape.ts'
import type { Context } from '../platform/operation/context.ts'
import { linkToDirectory, loadDirectory, syncDirectories, testDirectories } from './auth-directories.ts'
import { callRoute, OPERATOR, SHELL_ORIGIN } from './call-route.ts'
import { print, table } from './print.ts'
import { withContext } from './with-context.ts'

const MARKS = { ok: 'ok', warning: 'look', wrong: 'WRONG' }

export function authCommand(program: Command): void {
  const auth = program.command('auth').description('signing in: providers of identity, directories, and passwords')

  auth
    .command('test [name]')
    .description('look whether the providers of identity and the directories can sign people in; changes nothing')
    .action((name: string | undefined) => withContext((context) => testProviders(context, name)))

  auth
    .command('load <file>')
    .description('make or change the providers and directories that a JSON file describes; `-` reads standard input')
    .action((file: string) =>
      withContext(async (context) => {
        const { providers, directories } = await readIdentities(file)
        for (const provider of providers) print(await loadProvider(context, provider))
        for (const directory of directories) print(await loadDirectory(context, directory))
      }),
    )

  auth
    .command('sync [directory]')
    .description('read the people and groups of the directories now, as the worker does by itself')
    .action((name: string | undefined) => withContext((context) => syncDirectories(context, name)))

  auth
    .command('passwords')
    .description('where passwords sign in; the way back if nobody can sign in any more')
    .addArgument(new Argument('<where>').choices(['everywhere', 'browser', 'never']))
    .action((password_sign_in: string) =>
      withContext(async (context) => {
        await callRoute(context, updateSettings, OPERATOR, { body: { password_sign_in } })
        print(`Passwords sign in: ${password_sign_in}.`)
      }),
    )

  auth
    .command('link <login> <provider> <subject>')
    .description('let a person at a provider or directory, named by their subject or id there, sign in to an account')
    .action((login: string, provider: string, subject: string) =>
      withContext(async (context) => {
        const { account_id } = await findViewer(context, login)
        if (account_id === undefined) throw new Error(`There is no account ${login}.`)
        if (await findProvider(context.db, provider))
          await linkIdentity(context, SHELL_ORIGIN, { account_id, provider, subject })
        else if (await findDirectory(context.db, provider))
          await linkToDirectory(context, account_id, provider, subject)
        else throw new Error(`There is no provider or directory ${provider}.`)
        print(`${login} is ${subject} at ${provider}.`)
      }),
    )
}

async function testProviders(context: Context, name: string | undefined): Promise<void> {
  const all = await loadProviders(context.db)
  const directories = await loadDirectories(context.db)
  const isMeant = (each: { readonly name: string }) => name === undefined || each.name === name
  const tested = all.filter(isMeant)
  const testedDirectories = directories.filter(isMeant)
  if (name !== undefined && tested.length + testedDirectories.length === 0)
    throw new Error(`There is no provider or directory ${name}.`)
  let isWrong = await testDirectories(context, testedDirectories, MARKS)
  for (const provider of tested) {
    const findings = await diagnoseProvider(context, provider)
    print(`${provider.name} (${provider.settings.issuer})`)
    print(table(findings.map(({ check, state, detail }) => [MARKS[state], check, detail])))
    isWrong ||= findings.some(({ state }) => state === 'wrong')
  }
  if (tested.length + testedDirectories.length === 0) print('There is no provider of identity, and no directory.')
  const hasWayIn = all.some(({ settings }) => settings.is_enabled)
  if (!hasWayIn && context.settings.current.password_sign_in === 'never') {
    print(
      'Nobody can sign in to the pages: passwords are off, and no provider is on. `waypost auth passwords browser` helps.',
    )
    isWrong = true
  }
  process.exitCode = isWrong ? 1 : 0
}

type NamedMembers = Record<string, unknown> & { readonly name: string }

/** `{"providers": [{"name": "…", …}], "directories": [{"name": "…", …}]}`, with the members of the API. */
async function readIdentities(file: string): Promise<{ providers: NamedMembers[]; directories: NamedMembers[] }> {
  const text = file === '-' ? await readStandardInput() : await readFile(file, 'utf8')
  const document: unknown = JSON.parse(text)
  if (!isRecord(document) || (!('providers' in document) && !('directories' in document)))
    throw new Error('The file needs a list `providers` or `directories`.')
  return {
    providers: readNamed(document['providers'] ?? [], 'providers'),
    directories: readNamed(document['directories'] ?? [], 'directories'),
  }
}

function readNamed(list: unknown, name: string): NamedMembers[] {
  if (!Array.isArray(list)) throw new Error(`\`${name}\` is no list.`)
  return list.map((each: unknown) => {
    if (!isRecord(each) || typeof each['name'] !== 'string') throw new Error(`Each of \`${name}\` needs a \`name\`.`)
    return { ...each, name: each['name'] }
  })
}

/** A provider that exists gets the members of the file; others stay, and so does its secret. */
async function loadProvider(context: Context, given: Record<string, unknown> & { name: string }): Promise<string> {
  const { name, issuer, ...changes } = given
  const found = await findProvider(context.db, name)
  if (!found) {
    await callRoute(context, createIdentityProvider, OPERATOR, { body: given })
    return `${name} is made.`
  }
  if (issuer !== undefined && issuer !== found.settings.issuer)
    throw new Error(
      `${name} has the issuer ${found.settings.issuer}, which never changes. Make a provider with another name.`,
    )
  await callRoute(context, updateIdentityProvider, OPERATOR, { params: { name }, body: changes })
  return `${name} is up to date.`
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}
