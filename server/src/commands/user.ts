import { randomBytes } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { LINK_TTL_MS, makeLink } from '../accounts/mails/mailed-link.ts'
import { createUser } from '../accounts/users/create-user.ts'
import { eraseUser } from '../accounts/users/erase-user.ts'
import { listErasedUsers } from '../accounts/users/erased-users.ts'
import { findViewer } from '../accounts/sign-in/find-viewer.ts'
import { updateUser } from '../accounts/users/update-user.ts'
import { inTransaction } from '../platform/database/db.ts'
import type { Context } from '../platform/operation/context.ts'
import { callRoute, OPERATOR } from './call-route.ts'
import { print } from './print.ts'
import { withContext } from './with-context.ts'

interface NewUser {
  login: string
  name: string
  email: string
  password?: string
  siteAdmin?: boolean
}

export function userCommand(program: Command): void {
  const user = program.command('user').description('people')

  user
    .command('create')
    .description(
      'make an account; without a password its owner gets a link by mail, or it is printed if there is no mail server',
    )
    .requiredOption('--login <login>')
    .requiredOption('--name <name>', 'the real name')
    .requiredOption('--email <address>')
    .option('--password <password>', 'a first password; `-` reads it from standard input')
    .option('--site-admin', 'may administer the platform')
    .action(({ login, name, email, password, siteAdmin = false }: NewUser) =>
      withContext(async (context) => {
        const given = password === '-' ? await readLine() : password
        const isMailed = given === undefined && context.config.WAYPOST_SMTP_URL !== ''
        const body = {
          username: login,
          real_name: name,
          email,
          is_site_admin: siteAdmin,
          // Without a mail server, the account gets a random password, and the printed link replaces it.
          password: isMailed ? null : (given ?? randomBytes(32).toString('base64url')),
          invite: isMailed,
        }
        print(JSON.stringify(await callRoute(context, createUser, OPERATOR, { body })))
        if (given === undefined && !isMailed)
          print(`Set the password within 7 days: ${await firstLink(context, login)}`)
      }),
    )

  user
    .command('update <login>')
    .description('change an account')
    .option('--status <status>', 'A active, R restricted, S suspended, D deleted')
    .option('--name <name>')
    .option('--email <address>')
    .addOption(new Option('--site-admin <answer>', 'may administer the platform').choices(['yes', 'no']))
    .option('--password-reset', 'end all sessions and tokens, and mail a link to set a new password')
    .action((login: string, options: Record<string, string | boolean>) =>
      withContext(async (context) => {
        const { account_id: id } = await findViewer(context, login)
        const values = {
          status: options['status'],
          real_name: options['name'],
          email: options['email'],
          password_reset: options['passwordReset'],
          ...(options['siteAdmin'] !== undefined && { is_site_admin: options['siteAdmin'] === 'yes' }),
        }
        const changes = withoutGaps(values)
        if (Object.keys(changes).length === 0) throw new Error('There is nothing to change: give at least one option.')
        await callRoute(context, updateUser, OPERATOR, { params: { id }, body: { values: changes } })
        print(`${login} is changed.`)
      }),
    )

  user
    .command('erase <login>')
    .description('remove the person and keep the work; this cannot be undone')
    .requiredOption('--confirm <login>', 'the login once more')
    .action((login: string, { confirm }: { confirm: string }) =>
      withContext(async (context) => {
        const { account_id: id } = await findViewer(context, login)
        await callRoute(context, eraseUser, OPERATOR, { params: { id }, body: { confirm } })
        print(`${login} is erased.`)
      }),
    )

  user
    .command('erased')
    .description('list the ids of all who were erased, for `waypost restored`; keep the list outside of the database')
    .option('--file <file>', 'write them here; a run that fails leaves the file as it was')
    .action(({ file }: { file?: string }) =>
      withContext(async (context) => {
        const ids = await listErasedUsers(context)
        if (file === undefined) return print(ids.join('\n'))
        await writeFile(`${file}.new`, `${ids.join('\n')}\n`)
        await rename(`${file}.new`, file)
        print(`${ids.length} in ${file}.`)
      }),
    )
}

async function firstLink(context: Context, login: string): Promise<string> {
  const { account_id } = await findViewer(context, login)
  return inTransaction(context.db, (tx) =>
    makeLink(tx, context, 'password_reset', LINK_TTL_MS.first_password, { account_id: account_id ?? null }),
  )
}

function withoutGaps(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

async function readLine(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '')
}
