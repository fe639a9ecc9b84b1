import { execFileSync } from 'node:child_process'
import type { DiagnosticFinding } from '../platform/operation/diagnosis.ts'

/** The user of `deploy/systemd`. */
const SERVICE_USER = 'waypost'

/**
 * If root runs a check, the rest of this process runs as the user of the servers: root may write everywhere, so it would
 * find every folder in order.
 */
export function becomeServiceUser(name: string | undefined, environment: string): DiagnosticFinding {
  const what = 'user'
  const uid = process.getuid?.()
  if (uid !== 0 || !process.setgroups || !process.setgid || !process.setuid)
    return { what, state: 'ok', detail: `checked as the user ${uid}` }
  const user = name ?? SERVICE_USER
  const ids = readIds(user)
  if (!ids && name !== undefined) throw new Error(`There is no user ${name} on this machine.`)
  if (!ids)
    return {
      what,
      state: environment === 'production' ? 'warning' : 'ok',
      detail: 'checked as root, who may write everywhere: name the user of the servers with --user',
    }
  process.setgroups(ids.groups)
  process.setgid(ids.gid)
  process.setuid(ids.uid)
  return { what, state: 'ok', detail: `checked as ${user}` }
}

function readIds(user: string): { uid: number; gid: number; groups: number[] } | undefined {
  const id = (flag: string) =>
    execFileSync('id', [flag, '--', user], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
      .split(' ')
      .map(Number)
  try {
    const [[uid = 0], [gid = 0], groups] = [id('-u'), id('-g'), id('-G')]
    return { uid, gid, groups }
  } catch {
    return undefined // There is no such user.
  }
}
