import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from './compile-cache.ts'

export interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const WAYPOST = fileURLToPath(new URL('../bin/waypost', import.meta.url))

/** `waypost` as an operator runs it, in a process of its own, with this environment and no other. */
export async function runCommand(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  { input = '', folder }: { input?: string; folder?: string } = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [WAYPOST, ...args], {
    env: { PATH: process.env['PATH'], ...COMPILE_CACHE, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(folder !== undefined && { cwd: folder }),
  })
  const written = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (written.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (written.err += chunk.toString()))
  child.stdin.on('error', () => {}) // It may end without having read.
  child.stdin.end(input)
  await once(child, 'close')
  return { code: child.exitCode, ...written }
}

/** The arguments of `npx waypost …` as a shell would part them; only plain words and double quotes are understood. */
export function argumentsOf(line: string): string[] {
  const words = [...line.matchAll(/"([^"$`\\]*)"|([^\s"'$`\\|&;<>*?()]+)/g)].map(
    ([, quoted, plain = '']) => quoted ?? plain,
  )
  const understood = words.map((word) => (line.includes(`"${word}"`) ? `"${word}"` : word)).join(' ')
  if (understood !== line || words[0] !== 'npx' || words[1] !== 'waypost') throw new Error(`Not understood: ${line}`)
  return words.slice(2)
}
