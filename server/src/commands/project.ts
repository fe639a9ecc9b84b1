import type { Command } from 'commander'
import { findViewer } from '../accounts/sign-in/find-viewer.ts'
import { createProject } from '../projects/create-project.ts'
import { findProjectByName } from '../projects/find-project-by-name.ts'
import { deleteProject } from '../projects/trash/delete-project.ts'
import { restoreProject } from '../projects/trash/restore-project.ts'
import { updateProject } from '../projects/update-project.ts'
import { callRoute, OPERATOR } from './call-route.ts'
import { print } from './print.ts'
import { withContext } from './with-context.ts'

interface NewProject {
  shortname: string
  label: string
  admin: string
  description: string
  private?: boolean
  template: string
}

export function projectCommand(program: Command): void {
  const project = program.command('project').description('projects')

  project
    .command('create')
    .description('make a project')
    .requiredOption('--shortname <name>')
    .requiredOption('--label <name>')
    .requiredOption('--admin <login>', 'its first member and administrator')
    .option('--description <text>', 'what it is about', '')
    .option('--private', 'only members may enter')
    .option('--template <id>', 'the project to copy from', '100')
    .action((options: NewProject) =>
      withContext(async (context) => {
        const admin = await findViewer(context, options.admin)
        const { shortname, label, description } = options
        const body = {
          shortname,
          label,
          description,
          is_public: !options.private,
          template_id: Number(options.template),
        }
        print(JSON.stringify(await callRoute(context, createProject, admin, { body })))
      }),
    )

  project
    .command('status <project> <status>')
    .description('set a project, by its short name or id, `active`, `archived` or `suspended`')
    .action((name: string, status: string) =>
      withContext(async (context) => {
        const id = await findProjectByName(context, name)
        await callRoute(context, updateProject, OPERATOR, { params: { id }, body: { status } })
        print(`Project ${name} is ${status}.`)
      }),
    )

  project
    .command('delete <project>')
    .description('move a project, by its short name or id, with everything in it to the trash')
    .action((name: string) =>
      withContext(async (context) => {
        await callRoute(context, deleteProject, OPERATOR, { params: { id: await findProjectByName(context, name) } })
        print(`Project ${name} is in the trash.`)
      }),
    )

  project
    .command('restore <project>')
    .description('restore a project, by its short name or id, from the trash')
    .action((name: string) =>
      withContext(async (context) => {
        await callRoute(context, restoreProject, OPERATOR, { params: { id: await findProjectByName(context, name) } })
        print(`Project ${name} is restored.`)
      }),
    )
}
