import { Command, CommanderError } from 'commander'
import { describeFailure } from '../platform/messages/describe-failure.ts'

/** All shell commands by first word. Loaded lazily, because loading takes most of the time. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  config: async () => (await import('./config.ts')).configCommand,
  user: async () => (await import('./user.ts')).userCommand,
  key: async () => (await import('./key.ts')).keyCommand,
  project: async () => (await import('./project.ts')).projectCommand,
  group: async () => (await import('./group.ts')).groupCommand,
  'link-type': async () => (await import('./link-type.ts')).linkTypeCommand,
  files: async () => (await import('./files.ts')).filesCommand,
  svn: async () => (await import('./svn.ts')).svnCommand,
  auth: async () => (await import('./auth.ts')).authCommand,
  secrets: async () => (await import('./secrets.ts')).secretsCommand,
  retain: async () => (await import('./retain.ts')).retainCommand,
  restored: async () => (await import('./restored.ts')).restoredCommand,
  seed: async () => (await import('./seed.ts')).seedCommand,
}

/** Runs one shell command with the words after `waypost`; an error is printed and sets the exit code. */
export async function waypost(words: readonly string[]): Promise<void> {
  const program = new Command('waypost').description('Administration of a Waypost server, on the server itself.')
  if (words[0] === '--version') {
    const { COMMIT, PRODUCT, VERSION } = await import('../platform/openapi/version.ts')
    process.stdout.write(`${PRODUCT} ${VERSION}${COMMIT === null ? '' : ` (${COMMIT})`}\n`)
    return
  }
  program.option('--version', 'print the version')
  program.exitOverride() // Otherwise it would end the process before pending output is written.
  const asked = COMMANDS[words[0] ?? '']
  for (const load of asked ? [asked] : Object.values(COMMANDS)) {
    const command = await load()
    command(program)
  }
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    // Commander has printed its own errors already.
    if (!(error instanceof CommanderError)) process.stderr.write(`${describeFailure(error)}\n`)
    process.exitCode = error instanceof CommanderError ? error.exitCode : 1
  }
}
