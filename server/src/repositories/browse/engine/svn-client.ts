import { basename } from 'node:path'
import { ApiError } from '../../../platform/messages/errors.ts'
import { runTool, ToolError } from '../../disk/run-tool.ts'
import { type Browsed, serverArguments, serverConfig, SVN_TIMEOUT_MS } from './session.ts'

/** A path that cannot exist: the client neither reads nor writes a user configuration. */
const NO_CONFIG = '/dev/null/none'
const NOT_FOUND_ERROR = /\b[EW](?:160013|170001|170000|160016|160017|220001|220003|195012)\b/

/** Runs the real svn client for operations such as blame. It connects through an svnserve with the viewer's rights. */
export async function runSvn(
  browsed: Browsed,
  [command, ...args]: readonly string[],
  largestOutput: number,
): Promise<{ stdout: Buffer; isCut: boolean }> {
  const tunnel = await tunnelOption(browsed)
  const flags = ['--non-interactive', '--no-auth-cache', '--config-dir', NO_CONFIG, '--config-option', tunnel]
  try {
    return await runTool('svn', [command ?? '', ...flags, ...args], { timeLimit: SVN_TIMEOUT_MS, largestOutput })
  } catch (error) {
    throw error instanceof ToolError && NOT_FOUND_ERROR.test(error.stderr) ? new ApiError('not_found') : error
  }
}

export function svnUrl({ folder }: Browsed, path: string, revision: number): string {
  return `${repositoryRootUrl(folder)}${path.split('/').map(encodeURIComponent).join('/')}@${revision}`
}

function repositoryRootUrl(folder: string): string {
  return `svn+waypost://waypost/${basename(folder)}`
}

/**
 * The client appends a host and a command to the tunnel program; the shell drops them, because svnserve refuses them.
 */
const SVNSERVE_COMMAND = '\'exec svnserve "$0" "$1" "$2" "$3" "$4" "$5" "$6"\''

async function tunnelOption(browsed: Browsed): Promise<string> {
  const args = serverArguments(browsed, await serverConfig(browsed, 'own'))
  // The client splits the line like a shell.
  if (args.some((arg) => !/^[\w./@+-]+$/.test(arg))) throw new TypeError('This cannot stand in the line of a tunnel.')
  return `config:tunnels:waypost=/bin/sh -c ${SVNSERVE_COMMAND} ${args.join(' ')}`
}
