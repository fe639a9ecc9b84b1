import type { Command } from 'commander'
import { findProjectByName } from '../projects/find-project-by-name.ts'
import { createLinkType } from '../trackers/link-types/create-link-type.ts'
import { disableLinkType, enableLinkType } from '../trackers/link-types/disable-link-type.ts'
import { listLinkTypes } from '../trackers/link-types/list-link-types.ts'
import { SHELL_ORIGIN } from './call-route.ts'
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
      withContext(async ({ db }) => {
        await createLinkType(db, SHELL_ORIGIN, { shortname, forward_label: forward, reverse_label: reverse })
        print(`Link type ${shortname} is made.`)
      }),
    )

  linkType
    .command('list')
    .description('list all types, and the projects in which each is disabled')
    .action(() =>
      withContext(async ({ db }) => {
        const rows = (await listLinkTypes(db)).map(({ shortname, forward_label, reverse_label, disabled_in }) => [
          shortname,
          forward_label,
          reverse_label,
          disabled_in.join(', '),
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
        await disableLinkType(context.db, SHELL_ORIGIN, shortname, await findProjectByName(context, project))
        print(`Link type ${shortname} is disabled in ${project}.`)
      }),
    )

  linkType
    .command('enable <shortname>')
    .description('let them be made again')
    .requiredOption('--project <project>', 'a short name or an id')
    .action((shortname: string, { project }: { project: string }) =>
      withContext(async (context) => {
        await enableLinkType(context.db, SHELL_ORIGIN, shortname, await findProjectByName(context, project))
        print(`Link type ${shortname} is enabled in ${project}.`)
      }),
    )
}
