import type { Command } from 'commander'
import { applyRetention } from '../platform/database/retention.ts'
import { fixedSettings, loadSettings } from '../platform/operation/settings.ts'
import { SHELL_ORIGIN } from './call-route.ts'
import { print } from './print.ts'
import { withDatabase } from './with-context.ts'

export function retainCommand(program: Command): void {
  program
    .command('retain')
    .description('remove what the settings keep no longer, as the owner of the schema; run it every day')
    .action(() =>
      withDatabase('owner', async ({ db, config }) => {
        const { settings } = await loadSettings(db, fixedSettings(config))
        const { entries, days, addresses, events } = await applyRetention(db, SHELL_ORIGIN, settings, new Date())
        print(`Removed ${entries} entries of the audit log (${days} days) and ${events} events.`)
        print(`Shortened the address in ${addresses} entries.`)
      }),
    )
}
