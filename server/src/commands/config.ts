import type { Command } from 'commander'
import { VARIABLES } from '../platform/operation/config.ts'
import { print, table } from './print.ts'

export function configCommand(program: Command): void {
  program
    .command('config')
    .description('list every variable with its meaning, default and present value')
    .action(() => {
      const rows = Object.entries(VARIABLES).map(([name, variable]) => [
        name,
        'secret' in variable ? shownSecret(name) : (process.env[name] ?? '-'),
        variable.fallback === undefined ? '(required)' : variable.fallback,
        variable.meaning,
      ])
      print(table([['VARIABLE', 'VALUE', 'DEFAULT', 'MEANING'], ...rows]))
    })
}

function shownSecret(name: string): string {
  const file = process.env[`${name}_FILE`]
  if (file) return `(in ${file})`
  return process.env[name] === undefined ? '-' : '(set)'
}
