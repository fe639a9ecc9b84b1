import { Command } from 'commander'
import { configCommand } from './config.ts'
import { doctorCommand } from './doctor.ts'
import { migrateCommand } from './migrate.ts'
import { seedCommand } from './seed.ts'

/** Every command of the shell. */
const COMMANDS = [migrateCommand, doctorCommand, configCommand, seedCommand]

const program = new Command('waypost').description('Administration of a Waypost server, on the server itself.')
for (const command of COMMANDS) command(program)
try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
