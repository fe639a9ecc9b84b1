import { Command, CommanderError } from 'commander'
import { explain } from '../platform/words/explain.ts'

/** Every command of the shell, by its first word. What is not asked for is not read: that would take most of the time. */
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
  retain: async () => (await import('./retain.ts')).retainCommand,
  restored: async () => (await import('./restored.ts')).restoredCommand,
  seed: async () => (await import('./seed.ts')).seedCommand,
}

/** Runs one command of the shell, given what is typed behind `waypost`; a refusal is told, and sets the exit status. */
export async function waypost(words: readonly string[]): Promise<void> {
  const program = new Command('waypost').description('Administration of a Waypost server, on the server itself.')
  program.exitOverride() // It would end the process at once, whatever is still being written.
  const asked = COMMANDS[words[0] ?? '']
  for (const load of asked ? [asked] : Object.values(COMMANDS)) {
    const command = await load()
    command(program)
  }
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    // What it throws itself, it has told already.
    if (!(error instanceof CommanderError)) process.stderr.write(`${explain(error)}\n`)
    process.exitCode = error instanceof CommanderError ? error.exitCode : 1
  }
}
