import type { Command } from 'commander'
import { readConfig, readPartOfConfig } from '../platform/operation/config.ts'
import { APACHE_VARIABLES, apacheConfig } from '../repositories/disk/apache-config.ts'
import { getSvnFolders } from '../repositories/disk/svn-folders.ts'
import { startApache, writeApacheConfig } from '../repositories/disk/start-apache.ts'
import { verifyRepositories } from '../repositories/verify/verify-repositories.ts'
import { print, table } from './print.ts'
import { withContext } from './with-context.ts'

export function svnCommand(program: Command): void {
  const svn = program.command('svn').description('Subversion repositories')

  svn
    .command('apache-config')
    .description('print the configuration with which Apache serves the repositories')
    .option('--write', 'write it below WAYPOST_SVN_ROOT instead, and print the name of the file')
    .action(async ({ write = false }: { write?: boolean }) => {
      const config = readPartOfConfig(process.env, APACHE_VARIABLES)
      print(write ? await writeApacheConfig(config) : apacheConfig(getSvnFolders(config).apache, config).trimEnd())
    })

  svn
    .command('serve')
    .description('run Apache with that configuration, until a signal ends it')
    .action(async () => {
      const apache = await startApache(readConfig(process.env))
      await new Promise<void>((end) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end())
      })
      await apache.stop()
    })

  svn
    .command('verify')
    .description('compare database and repositories, and read every revision; changes nothing, and servers may run')
    .action(() =>
      withContext(async (context) => {
        const rows: string[][] = []
        let faults = 0
        for await (const { object, state, youngest, faults: found } of verifyRepositories(context)) {
          const [first = '', ...others] = found
          rows.push([
            found.length === 0 ? 'ok' : 'WRONG',
            object,
            youngest === undefined ? state : `r${youngest}`,
            first,
          ])
          rows.push(...others.map((fault) => ['', '', '', fault]))
          faults += found.length
        }
        print(table([['', 'repository', 'last', 'fault'], ...rows]))
        print(faults === 0 ? 'Database and repositories agree.' : `Faults: ${faults}.`)
        process.exitCode = faults === 0 ? 0 : 1
      }),
    )
}
