import type { Command } from 'commander'
import { createAccessKey } from '../accounts/access-keys/create-access-key.ts'
import { deleteAccessKey } from '../accounts/access-keys/delete-access-key.ts'
import { findViewer } from '../accounts/sign-in/find-viewer.ts'
import { callRoute } from './call-route.ts'
import { print } from './print.ts'
import { withContext } from './with-context.ts'

interface KeyOptions {
  user: string
  description: string
  scope: string[]
  project?: string[]
  expires?: string
}

export function keyCommand(program: Command): void {
  const key = program.command('key').description('personal access keys')

  key
    .command('create')
    .description('make a key and print it: it is shown only now')
    .requiredOption('--user <login>', 'its owner')
    .option('--description <text>', 'what it is for', '')
    .option('--scope <scope...>', 'what it may do', ['write:rest'])
    .option('--project <id...>', 'limit it to these projects')
    .option('--expires <date>', 'when it ends, with its zone: 2027-01-01T00:00:00Z')
    .action((options: KeyOptions) =>
      withContext(async (context) => {
        const owner = await findViewer(context, options.user)
        const body = {
          description: options.description,
          scopes: options.scope,
          ...(options.project && { projects: options.project.map(Number) }),
          ...(options.expires !== undefined && { expiration_date: options.expires }),
        }
        print(getKeyIdentifier(await callRoute(context, createAccessKey, owner, { body })))
      }),
    )

  key
    .command('delete <id>')
    .description('end a key at once')
    .requiredOption('--user <login>', 'its owner')
    .action((id: string, { user }: { user: string }) =>
      withContext(async (context) => {
        await callRoute(context, deleteAccessKey, await findViewer(context, user), { params: { id } })
        print(`Key ${id} is deleted.`)
      }),
    )
}

export function getKeyIdentifier(answer: unknown): string {
  return typeof answer === 'object' && answer !== null && 'identifier' in answer ? String(answer.identifier) : ''
}
