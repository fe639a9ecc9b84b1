import type { Command } from 'commander'
import { FILE_FAULTS, verifyFiles } from '../files/verify-files.ts'
import { print } from './print.ts'
import { withContext } from './with-context.ts'

const WIDTH = Math.max(...FILE_FAULTS.map((kind) => kind.length))

export function filesCommand(program: Command): void {
  const files = program.command('files').description('the bytes of files')

  files
    .command('verify')
    .description('compare database and file store, both ways; changes nothing, and servers may run')
    .option('--digest', 'also read every byte, which takes its time')
    .action(({ digest = false }: { digest?: boolean }) =>
      withContext(async (context) => {
        let faults = 0
        // Print each fault as it is found: a lost store has many.
        for await (const { kind, object, detail } of verifyFiles(context, { digest })) {
          print(`${kind.padEnd(WIDTH)}  ${object}  ${detail}`)
          faults++
        }
        print(faults === 0 ? 'Database and file store agree.' : `Faults: ${faults}.`)
        process.exitCode = faults === 0 ? 0 : 1
      }),
    )
}
