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
        shown(process.env[name], 'secret' in variable),
        variable.fallback === undefined ? '(required)' : variable.fallback,
        variable.meaning,
      ])
      print(table([['VARIABLE', 'VALUE', 'DEFAULT', 'MEANING'], ...rows]))
    })
}

function shown(value: string | undefined, secret: boolean): string {
  if (value === undefined) return '-'
  return secret ? '(set)' : value
}
