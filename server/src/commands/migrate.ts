import type { Command } from 'commander'
import { Client } from 'pg'
import { readConfig } from '../platform/operation/config.ts'
import { migrate, missingMigrations } from '../platform/database/migrate.ts'
import { print } from './print.ts'

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to this version; safe to repeat and to run from several machines at once')
    .option('--check', 'only say what is missing; fail if something is')
    .action(async ({ check }: { check?: boolean }) => {
      const config = readConfig(process.env)
      const url = config.WAYPOST_MIGRATE_URL || config.WAYPOST_DATABASE_URL
      if (check) {
        const missing = await missingMigrations(url)
        print(missing.length === 0 ? 'Nothing is missing.' : `Missing: ${missing.join(', ')}`)
        process.exitCode = missing.length === 0 ? 0 : 1
        return
      }
      const { user: appRole = '' } = new Client({ connectionString: config.WAYPOST_DATABASE_URL })
      const done = await migrate({ url, appRole, cell: config.WAYPOST_CELL })
      print(done.length === 0 ? 'Nothing to do.' : `Applied: ${done.join(', ')}`)
    })
}
