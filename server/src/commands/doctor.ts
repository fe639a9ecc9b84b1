import type { Command } from 'commander'
import { checkFileStore } from '../files/store/check-store.ts'
import { proxy } from '../platform/operation/check-proxy.ts'
import { diagnose } from '../platform/operation/diagnosis.ts'
import { print, table } from './print.ts'
import { withDatabase } from './with-context.ts'

const MARKS = { ok: 'ok', warning: 'look', wrong: 'WRONG' }

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('look at everything that makes this installation sound; changes nothing')
    .option('--json', 'print the findings as JSON')
    .action(({ json }: { json?: boolean }) =>
      withDatabase('servers', async (installation) => {
        const findings = await diagnose(installation, { files: checkFileStore, proxy })
        print(
          json
            ? JSON.stringify(findings)
            : table(findings.map(({ what, state, detail }) => [MARKS[state], what, detail])),
        )
        process.exitCode = findings.some(({ state }) => state === 'wrong') ? 1 : 0
      }),
    )
}
