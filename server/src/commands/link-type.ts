import type { Command } from 'commander'
import type { Context } from '../platform/operation/context.ts'
import { deleteLinkType } from '../artifacts/links/delete-link-type.ts'
import { findProjectByName } from '../projects/find-project-by-name.ts'
import { createLinkType } from '../trackers/link-types/create-link-type.ts'
import { findDisablingProjects } from '../trackers/link-types/disabling-projects.ts'
import { findLinkTypes } from '../trackers/link-types/find-link-type.ts'
import { switchProjectLinkType } from '../trackers/link-types/switch-project-link-type.ts'
import { updateLinkType } from '../trackers/link-types/update-link-type.ts'
import { callRoute, OPERATOR } from './call-route.ts'
import { print, table } from './print.ts'
import { withContext } from './with-context.ts'

export function linkTypeCommand(program: Command): void {
  const linkType = program.command('link-type').description('what links between artifacts can mean')

  linkType
    .command('create <shortname>')
    .description('make a type of links, for all projects; a short name takes a to z and `_`')
    .requiredOption('--forward <label>', 'what it is called where a link starts: Fixed in')
    .requiredOption('--reverse <label>', 'what it is called where a link leads: Fixes')
    .action((shortname: string, { forward, reverse }: { forward: string; reverse: string }) =>
      withContext(async (context) => {
        const body = { shortname, forward_label: forward, reverse_label: reverse }
        await callRoute(context, createLinkType, OPERATOR, { body })
        print(`Link type ${shortname} is made.`)
      }),
    )

  linkType
    .command('rename <shortname>')
    .description('change the labels of a type; its short name and its links stay')
    .option('--forward <label>', 'what it is called where a link starts')
    .option('--reverse <label>', 'what it is called where a link leads')
    .action((name: string, { forward, reverse }: { forward?: string; reverse?: string }) =>
      withContext(async (context) => {
        const body = {
          ...(forward !== undefined && { forward_label: forward }),
          ...(reverse !== undefined && { reverse_label: reverse }),
        }
        await requireExisting(context, name)
        await callRoute(context, updateLinkType, OPERATOR, { params: { name }, body })
        print(`Link type ${name} is renamed.`)
      }),
    )

  linkType
    .command('delete <shortname>')
    .description('delete a type that no link has')
    .action((name: string) =>
      withContext(async (context) => {
        await requireExisting(context, name)
        await callRoute(context, deleteLinkType, OPERATOR, { params: { name } })
        print(`Link type ${name} is deleted.`)
      }),
    )

  linkType
    .command('list')
    .description('list all types, and the projects in which each is disabled')
    .action(() =>
      withContext(async ({ db }) => {
        const disabling = await findDisablingProjects(db)
        const rows = (await findLinkTypes(db)).map(({ shortname, forward_label, reverse_label }) => [
          shortname,
          forward_label,
          reverse_label,
          (disabling.get(shortname) ?? []).join(', '),
        ])
        print(table([['TYPE', 'FORWARD', 'REVERSE', 'DISABLED IN'], ...rows]))
      }),
    )

  linkType
    .command('disable <shortname>')
    .description('let no more links of a type be made in a project; those that are there stay')
    .requiredOption('--project <project>', 'a short name or an id')
    .action((shortname: string, { project }: { project: string }) =>
      withContext(async (context) => {
        const id = await findProjectByName(context, project)
        await requireExisting(context, shortname)
        const body = { enabled: false }
        await callRoute(context, switchProjectLinkType, OPERATOR, { params: { id, name: shortname }, body })
        print(`Link type ${shortname} is disabled in ${project}.`)
      }),
    )

  linkType
    .command('enable <shortname>')
    .description('let them be made again')
    .requiredOption('--project <project>', 'a short name or an id')
    .action((shortname: string, { project }: { project: string }) =>
      withContext(async (context) => {
        const id = await findProjectByName(context, project)
        await requireExisting(context, shortname)
        const body = { enabled: true }
        await callRoute(context, switchProjectLinkType, OPERATOR, { params: { id, name: shortname }, body })
        print(`Link type ${shortname} is enabled in ${project}.`)
      }),
    )
}

/** The routes answer only that something is absent. */
async function requireExisting({ db }: Context, name: string): Promise<void> {
  if (!(await findLinkTypes(db)).some(({ shortname }) => shortname === name))
    throw new Error(`There is no link type ${name}.`)
}
