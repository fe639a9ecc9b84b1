import { basename } from 'node:path'
import { ApiError } from '../../../platform/words/errors.ts'
import { runTool, ToolError } from '../../disk/run-tool.ts'
import { type Browsed, serverArguments, serverConfig, TIME_LIMIT } from './session.ts'

/** A place that can never be, so that nothing of whoever runs us is read and nothing is written. */
const NO_CONFIG = '/dev/null/none'
const NOT_THERE = /\b[EW](?:160013|170001|170000|160016|160017|220001|220003|195012)\b/

/**
 * What takes more than asking, such as comparing, the real client does. It reaches the repository as everybody else who
 * browses does: through an svnserve that knows who asks.
 */
export async function runSvn(
  browsed: Browsed,
  [command, ...args]: readonly string[],
  largestOutput: number,
): Promise<{ stdout: Buffer; isCut: boolean }> {
  const tunnel = await tunnelOf(browsed)
  const flags = ['--non-interactive', '--no-auth-cache', '--config-dir', NO_CONFIG, '--config-option', tunnel]
  try {
    return await runTool('svn', [command ?? '', ...flags, ...args], { timeLimit: TIME_LIMIT, largestOutput })
  } catch (error) {
    throw error instanceof ToolError && NOT_THERE.test(error.said) ? new ApiError('not_found') : error
  }
}

export function addressOf({ folder }: Browsed, path: string, revision: number): string {
  return `${rootOf(folder)}${path.split('/').map(encodeURIComponent).join('/')}@${revision}`
}

function rootOf(folder: string): string {
  return `svn+waypost://waypost/${basename(folder)}`
}

/** The client adds the host and a command of its own behind the program that it is given; svnserve would refuse them. */
const WITHOUT_THE_REST = '\'exec svnserve "$0" "$1" "$2" "$3" "$4" "$5" "$6"\''

async function tunnelOf(browsed: Browsed): Promise<string> {
  const args = serverArguments(browsed, await serverConfig(browsed, 'own'))
  // It splits the line by itself, as a shell would.
  if (args.some((arg) => !/^[\w./@+-]+$/.test(arg))) throw new TypeError('This cannot stand in the line of a tunnel.')
  return `config:tunnels:waypost=/bin/sh -c ${WITHOUT_THE_REST} ${args.join(' ')}`
}
