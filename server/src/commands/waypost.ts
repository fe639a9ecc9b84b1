import { Command } from 'commander'
import { explain } from '../platform/words/explain.ts'
import { configCommand } from './config.ts'
import { doctorCommand } from './doctor.ts'
import { filesCommand } from './files.ts'
import { groupCommand } from './group.ts'
import { keyCommand } from './key.ts'
import { migrateCommand } from './migrate.ts'
import { projectCommand } from './project.ts'
import { restoredCommand } from './restored.ts'
import { retainCommand } from './retain.ts'
import { seedCommand } from './seed.ts'
import { svnCommand } from './svn.ts'
import { userCommand } from './user.ts'

/** Every command of the shell. */
const COMMANDS = [
  migrateCommand,
  doctorCommand,
  configCommand,
  userCommand,
  keyCommand,
  projectCommand,
  groupCommand,
  filesCommand,
  svnCommand,
  retainCommand,
  restoredCommand,
  seedCommand,
]

const program = new Command('waypost').description('Administration of a Waypost server, on the server itself.')
for (const command of COMMANDS) command(program)
try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
