import type { Command } from 'commander'
import { findProjectByName } from '../projects/find-project-by-name.ts'
import { createUserGroup } from '../projects/groups/create-user-group.ts'
import { replaceGroupUsers } from '../projects/groups/replace-group-users.ts'
import { callRoute, OPERATOR } from './call-route.ts'
import { print } from './print.ts'
import { withContext } from './with-context.ts'

interface NewGroup {
  project: string
  name: string
  description: string
}

export function groupCommand(program: Command): void {
  const group = program.command('group').description('user groups of projects')

  group
    .command('create')
    .description('make a user group')
    .requiredOption('--project <project>', 'whose it is: a short name or an id')
    .requiredOption('--name <name>', 'letters, digits, `_` and `-`')
    .option('--description <text>', 'what it is for', '')
    .action(({ project, name: short_name, description }: NewGroup) =>
      withContext(async (context) => {
        const project_id = await findProjectByName(context, project)
        const body = { project_id, short_name, description }
        print(JSON.stringify(await callRoute(context, createUserGroup, OPERATOR, { body })))
      }),
    )

  group
    .command('members <id>')
    .description(
      'say who is in a group, such as 108, or 101_3 for the members of project 101 and 101_4 for its administrators',
    )
    .requiredOption('--set <logins>', 'comma-separated; nobody else stays')
    .action((id: string, { set }: { set: string }) =>
      withContext(async (context) => {
        const logins = set
          .split(',')
          .map((login) => login.trim())
          .filter(Boolean)
        const body = { user_references: logins.map((username) => ({ username })) }
        await callRoute(context, replaceGroupUsers, OPERATOR, { params: { id }, body })
        print(`Group ${id}: ${logins.join(', ') || 'nobody'}.`)
      }),
    )
}
