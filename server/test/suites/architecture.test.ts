import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import {
  INSTALL_SCRIPTS,
  lockedPackages,
  lockFaults,
  productionPackages,
  readLock,
  readManifest,
  vagueVersions,
} from '../harness/packages.ts'
import { listTrackedFiles } from '../harness/tracked-files.ts'

// Each module may import itself and the modules named before it. Upward it implements a port or records an event.
const ORDER = [
  'platform',
  'accounts',
  'projects',
  'files',
  'trackers',
  'artifacts',
  'repositories',
  'feed',
  'administration',
  'commands',
]

const JUNK_DRAWERS = /^(utils?|helpers?|common|shared|managers?|services?|base|misc)$/
const MAX_FILE_LINES = 500
const GENERATED = /^(?:sdk\/src\/api\.ts|docs\/sql\/.*)$/

// These take a program and an argument list, without a shell.
const SUBPROCESSES = ['execFile', 'execFileSync', 'spawn', 'spawnSync', 'fork', 'type ChildProcess']
const RAW_SQL = ['server/src/platform/database/migrate.ts']

const ROOT = 'server/src'
const tracked = listTrackedFiles()
const sources = tracked.filter((file) => /\.(ts|tsx)$/.test(file))
const rooms = globSync(`${ROOT}/*/**/*.ts`)

test('there are no modules beyond the planned ones', () => {
  expect(rooms.filter((file) => !ORDER.includes(roomOf(file)))).toEqual([])
})

test('imports between modules only point down the order', () => {
  expect(rooms).not.toEqual([])
  expect(rooms.flatMap(upwardImports)).toEqual([])
})

test('the web pages use only the API, and the server does not import them', () => {
  expect(sources.some((file) => file.startsWith('web/src/'))).toBe(true)
  expect(sources.flatMap(foreignImports)).toEqual([])
})

test('SQL on a table stands only in its own module', () => {
  // `0003-projects.sql`, `0017-projects-….sql`: a migration is named after the module that owns its tables.
  const foreign = globSync('server/migrations/*.sql').flatMap((migration) => {
    const room = basename(migration, '.sql').split('-')[1] ?? ''
    if (!ORDER.includes(room)) return [`${migration} names no room`]
    return [...text(migration).matchAll(/create table (?:if not exists )?(\w+)/g)].flatMap(([, table = '']) =>
      usersOf(table, room),
    )
  })
  expect(foreign).toEqual([])
})

test('there are no barrel files', () => {
  expect(tracked.filter((file) => /^index\.(ts|tsx|js)$/.test(basename(file)))).toEqual([])
})

test('no file exceeds the size limit', () => {
  const written = tracked.filter((file) => /\.(ts|tsx|css|sql|sh)$/.test(file) || file === '.ci/run')
  const tooLong = written.filter((file) => text(file).split('\n').length > MAX_FILE_LINES + 1)
  expect(tooLong.filter((file) => !GENERATED.test(file))).toEqual([])
})

test('no file has a catch-all name', () => {
  const names = (file: string) => file.split('/').map((name) => name.replace(/\..*$/, ''))
  expect(tracked.filter((file) => names(file).some((name) => JUNK_DRAWERS.test(name)))).toEqual([])
})

test('no file contains paths of a machine or a private registry', () => {
  const home = /(?<![\w.~-])\/(?:home|root|work|Users)\/\w/
  const registry = /registry\.npmjs|deb\.debian|\/\/[\w.-]*(?:registry|artifactory|verdaccio|jfrog|nexus)/i
  const faults = tracked.flatMap((file) =>
    text(file)
      .split('\n')
      .filter((line) => home.test(line) || registry.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(faults).toEqual([])
})

test('no subprocess goes through a shell', () => {
  const faults = sources.flatMap((file) => {
    const clauses = [...code(file).matchAll(/import\s+([^;'"]*?)\s+from\s+'(?:node:)?child_process'/g)]
    const named = clauses.flatMap(([, clause = '']) => clause.replace(/^\{|\}$/g, '').split(','))
    const others = named.map((name) => name.trim()).filter((name) => name !== '' && !SUBPROCESSES.includes(name))
    return [...others, ...(/\bshell:(?!\s*false)/.test(code(file)) ? ['shell'] : [])].map((name) => `${file}: ${name}`)
  })
  expect(faults).toEqual([])
})

test('SQL is not built from strings', () => {
  expect(sources.filter((file) => /\bsql\.raw\(/.test(code(file)) && !RAW_SQL.includes(file))).toEqual([])
})

test('versions of dependencies are exact', () => {
  const manifests = tracked.filter((file) => basename(file) === 'package.json')
  expect(manifests).toContain('package.json')
  expect(manifests.flatMap((file) => vagueVersions(readManifest(file)).map((each) => `${file}: ${each}`))).toEqual([])
})

test('every package has an integrity hash, and none runs install scripts', () => {
  const scripted = lockedPackages(readLock()).filter(({ entry }) => entry.hasInstallScript)
  expect(lockFaults(readLock())).toEqual([])
  expect(text('.npmrc').split('\n')).toContain('ignore-scripts=true')
  expect(scripted.map(({ name }) => name).toSorted()).toEqual(Object.keys(INSTALL_SCRIPTS).toSorted())
})

test('the number of production packages is documented', () => {
  const production = productionPackages(readLock())
  const optional = production.filter(({ entry }) => entry.optional)
  process.stdout.write(`production packages: ${production.length}, of which ${optional.length} are optional\n`)
  expect(production).not.toEqual([])
})

function text(file: string): string {
  return readFileSync(file, 'utf8')
}

const codes = new Map<string, string>()

/** Comments are excluded from the checks. */
function code(file: string): string {
  const known = codes.get(file) ?? withoutComments(file)
  codes.set(file, known)
  return known
}

function withoutComments(file: string): string {
  return text(file).replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
}

function upwardImports(file: string): string[] {
  return [...text(file).matchAll(/(?:from|import|import\(|declare module) ?'(\.[^']+)'/g)]
    .map(([, path = '']) => normalize(join(dirname(file), path)))
    .filter((target) => !isBelow(target, file))
    .map((target) => `${file} imports ${target}`)
}

/** The client imports nothing of ours, the web pages only the client, the server neither. Tests may start a server. */
function foreignImports(file: string): string[] {
  const [folder = ''] = file.split('/')
  if (file.endsWith('.test.ts') || !['server', 'sdk', 'web', 'bench'].includes(folder)) return []
  if (file.startsWith('web/test/')) return []
  const allowed = { sdk: ['sdk'], web: ['web', 'sdk'] }[folder] ?? ['server', 'bench']
  return [...code(file).matchAll(/(?:from|import|import\() ?'(\.[^']+|@waypost\/[^']+)'/g)]
    .map(([, path = '']) => (path.startsWith('@') ? path.slice('@waypost/'.length) : join(dirname(file), path)))
    .filter((target) => !allowed.includes(normalize(target).split('/')[0] ?? ''))
    .map((target) => `${file} imports ${target}`)
}

/** Files beside the modules (context, routes) are above all of them except the commands; tests may use all of it. */
function isBelow(target: string, file: string): boolean {
  const isTest = file.endsWith('.test.ts')
  if (/^(server\/test|bench)\//.test(target)) return isTest
  if (dirname(target) === ROOT) return isTest || roomOf(file) === 'commands'
  const level = ORDER.indexOf(roomOf(target))
  return level >= 0 && level <= ORDER.indexOf(roomOf(file))
}

function usersOf(table: string, owner: string): string[] {
  const words = ['from', 'join', 'into', 'update', 'truncate']
  const calls = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', '\\w+Join']
  const use = new RegExp(`\\b(?:${words.join('|')})\\s+${table}\\b|\\b(?:${calls.join('|')})\\('${table}\\b`)
  return rooms
    .filter((file) => roomOf(file) !== owner && !file.endsWith('.test.ts') && use.test(code(file)))
    .map((file) => `${file} uses ${table}`)
}

function roomOf(file: string): string {
  return file.slice(ROOT.length + 1).split('/')[0] ?? ''
}
