import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { COMPILE_CACHE } from './compile-cache.ts'
import { filesEnvironment } from './storage-settings.ts'

export interface CommandResult {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const WAYPOST = fileURLToPath(new URL('../../bin/waypost', import.meta.url))

/** The variables that commands on this database need. */
export function commandEnvironment(databaseUrl: string) {
  return {
    WAYPOST_DATABASE_URL: databaseUrl,
    WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
    WAYPOST_PUBLIC_URL: 'https://waypost.example',
    ...filesEnvironment(databaseUrl),
  }
}

/** Runs `waypost` in a separate process with exactly this environment. */
export async function runCommand(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  { input = '', folder }: { input?: string; folder?: string } = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [WAYPOST, ...args], {
    env: { PATH: process.env['PATH'], ...COMPILE_CACHE, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(folder !== undefined && { cwd: folder }),
  })
  const written = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (written.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (written.err += chunk.toString()))
  child.stdin.on('error', () => {}) // It may exit without reading its input.
  child.stdin.end(input)
  await once(child, 'close')
  return { code: child.exitCode, ...written }
}

/** The same in this process, which is faster because the sources are already loaded. */
export async function callCommand(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  { folder }: { folder?: string } = {},
): Promise<CommandResult> {
  const { waypost } = await import('../../src/commands/waypost.ts')
  const [own, home] = [process.env, process.cwd()]
  const written = { out: '', err: '' }
  const kept = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((written.out += String(text)))),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((written.err += String(text)))),
  ]
  try {
    process.env = { PATH: own['PATH'], ...environment }
    if (folder !== undefined) process.chdir(folder)
    await waypost(args)
    return { code: Number(process.exitCode ?? 0), ...written }
  } finally {
    process.env = own
    process.chdir(home)
    process.exitCode = undefined
    for (const spy of kept) spy.mockRestore()
  }
}

/** Splits the arguments of `npx waypost …` like a shell; supports plain words and double quotes only. */
export function splitCommandLine(line: string): string[] {
  const words = [...line.matchAll(/"([^"$`\\]*)"|([^\s"'$`\\|&;<>*?()]+)/g)].map(
    ([, quoted, plain = '']) => quoted ?? plain,
  )
  const understood = words.map((word) => (line.includes(`"${word}"`) ? `"${word}"` : word)).join(' ')
  if (understood !== line || words[0] !== 'npx' || words[1] !== 'waypost') throw new Error(`Not understood: ${line}`)
  return words.slice(2)
}
