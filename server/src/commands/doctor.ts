import type { Command } from 'commander'
import { checkFileStore } from '../files/store/check-store.ts'
import { certificates } from '../platform/operation/check-certificates.ts'
import { mail } from '../platform/operation/check-mail.ts'
import { postgresql } from '../platform/operation/check-postgres.ts'
import { proxy } from '../platform/operation/check-proxy.ts'
import { disk } from '../platform/operation/check-space.ts'
import { worker } from '../platform/operation/check-worker.ts'
import { diagnose } from '../platform/operation/diagnosis.ts'
import { checkSubversion } from '../repositories/disk/check-subversion.ts'
import { becomeServiceUser } from './become-user.ts'
import { print, table } from './print.ts'
import { withDatabase } from './with-context.ts'

const MARKS = { ok: 'ok', warning: 'look', wrong: 'WRONG' }
const CHECKS = { postgresql, files: checkFileStore, subversion: checkSubversion, disk, mail, certificates, proxy }

interface DoctorOptions {
  readonly json?: boolean
  readonly beforeStart?: boolean
  readonly user?: string
}

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('look at everything that makes this installation sound; creates and changes nothing')
    .option('--json', 'print the findings as JSON')
    .option('--before-start', 'leave out the worker: the servers do not run yet')
    .option('--user <name>', 'the user that the servers run as, if root asks', undefined)
    .action(({ json, beforeStart, user }: DoctorOptions) =>
      withDatabase('servers', async (installation) => {
        const checkedAs = becomeServiceUser(user, installation.config.WAYPOST_ENVIRONMENT)
        const checks = { ...(!beforeStart && { worker }), ...CHECKS }
        const findings = [checkedAs, ...(await diagnose(installation, checks))]
        print(
          json
            ? JSON.stringify(findings)
            : table(findings.map(({ what, state, detail }) => [MARKS[state], what, detail])),
        )
        process.exitCode = findings.some(({ state }) => state === 'wrong') ? 1 : 0
      }),
    )
}
