import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  ALL_PATHS,
  TREE_FILES,
  generateAccessFiles,
  PATHS,
  type PathAccess,
  readPathAccess,
} from '../../../test/fixtures/access-files.ts'
import { loadRevisions, makeBrowsed } from '../../../test/fixtures/browsed-repository.ts'
import { GUS, MARA, OLGA, type TestPerson, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { startSvnWorld } from '../../../test/peers/svn.ts'
import { dumpOf } from '../disk/svn-dump.ts'
import { createSeededRandom, type SeededRandom } from '../../platform/operation/seeded-random.ts'
import { readYoungestRevision } from '../disk/read-youngest-revision.ts'
import { composeAccessFile } from './access-file.ts'
import { loadAccessInputs } from './load-access-inputs.ts'

const world = await startSvnWorld()
const { api, context, svn, svnmucc, dav, svnOrigin } = world
const CORE = `${svnOrigin}/svn/orchard/core`
const PEOPLE: readonly TestPerson[] = [TOM, UMA, GUS, OLGA, VICTOR, MARA]
const SEED = 20_261_115
/** The minimum number of (file, person, path) triples to test. */
const TRIPLES = Number(process.env['WAYPOST_TEST_TRIPLES'] ?? 2000)
const ACCESS_FILES = generateAccessFiles('core', Math.ceil(TRIPLES / (PEOPLE.length * PATHS.length)), SEED)
const TRIED = ACCESS_FILES.length * PEOPLE.length * PATHS.length

/** Per person and file: paths that are requested individually, and paths that are changed. */
const SINGLE_OF_EACH = 3
const SINGLE = ACCESS_FILES.length * PEOPLE.length * SINGLE_OF_EACH
const WRITES_OF_EACH = 8
const WRITES = ACCESS_FILES.length * PEOPLE.length * WRITES_OF_EACH
const FOLDER_ROUTES = ['tree', 'log', 'diff']
const FILE_ROUTES = ['file', 'log', 'diff', 'blame']

/** The rights of one person under one access file, as `svnauthz` reports them. */
interface Judged {
  readonly text: string
  readonly person: TestPerson
  readonly rights: ReadonlyMap<string, PathAccess>
  readonly random: SeededRandom
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/'
const isBelow = (path: string, folder: string) => path === folder || folder === '/' || path.startsWith(`${folder}/`)

let id: number
let folder: string
const known = new Map<string, Promise<Judged[]>>()

beforeAll(async () => {
  ;({ id, folder } = await makeBrowsed(world, 'core'))
  await loadRevisions(folder, dumpOf([ALL_PATHS]))
})

async function judge(text: string, at: number): Promise<Judged[]> {
  const file = join(folder, 'conf', `oracle-${at}`)
  const ground = await loadAccessInputs(context.db, ORCHARD)
  await writeFile(file, composeAccessFile('oracle', ground, { text, has_default_permissions: true }).text)
  return Promise.all(
    PEOPLE.map(async (person) => ({
      text,
      person,
      rights: await readPathAccess(file, 'core', person),
      random: createSeededRandom(SEED + at * 100 + person.id),
    })),
  )
}

/** Activates each access file in turn, and collects deviations from its rules. */
async function findWrong(check: (judged: Judged) => Promise<string[]>): Promise<string[]> {
  const wrong: string[] = []
  for (const [at, text] of ACCESS_FILES.entries()) {
    const settings = {
      commit_rules: { is_reference_mandatory: false, is_commit_message_change_allowed: false },
      immutable_tags: { paths: [], whitelist: [] },
      email_notifications: [],
      access_file: text,
      has_default_permissions: true,
    }
    const { status, json } = await api.put(`/svn/${id}`, { as: MARA, body: { settings } })
    expect([status, json.settings?.access_file]).toEqual([200, text])
    const judging = known.get(text) ?? judge(text, at)
    known.set(text, judging)
    const found = await Promise.all((await judging).map(async (judged) => ({ judged, said: await check(judged) })))
    for (const { judged, said } of found)
      wrong.push(...said.map((each) => `${judged.person.login}: ${each} in\n${judged.text}`))
  }
  return wrong
}

const readable = ({ rights }: Judged) => PATHS.filter((path) => rights.get(path) !== 'no')
const writable = ({ rights }: Judged) => PATHS.filter((path) => rights.get(path) === 'rw')
const differing = (what: string, found: readonly string[], wanted: readonly string[]) => [
  ...wanted.filter((path) => !found.includes(path)).map((path) => `${what} lacks ${path}`),
  ...found.filter((path) => !wanted.includes(path)).map((path) => `${what} has ${path}`),
]

/** Denied paths whose parent is denied too; they cannot be missing from any readable listing. */
function hidden(one: Judged): string[] {
  const seen = readable(one)
  return PATHS.filter((path) => !seen.includes(path) && (path === '/' || !seen.includes(parentOf(path))))
}

/** Readable paths below an unreadable parent: the entry points of this person. */
function beginnings(one: Judged): string[] {
  const seen = readable(one)
  return seen.filter((path) => path === '/' || !seen.includes(parentOf(path)))
}

/** Paths that are visible from there, directory by directory. */
function reachable(one: Judged, begin: string): string[] {
  const seen = new Set<string>()
  for (const path of readable(one))
    if (isBelow(path, begin) && (path === begin || seen.has(parentOf(path)))) seen.add(path)
  return [...seen]
}

/** Lists all directories in one run of the client. */
async function listed(one: Judged, begin: readonly string[]): Promise<string[]> {
  const addresses = begin.map((path) => `${CORE}${path === '/' ? '' : path}`)
  const { code, out, error } = await svn(one.person, 'ls', '-R', '--xml', ...addresses)
  if (code !== 0) return [error]
  return [...out.matchAll(/<list\s+path="([^"]*)">(.*?)<\/list>/gs)].flatMap(([, address = '', entries = '']) => {
    const path = address.slice(CORE.length) || '/'
    const names = [...entries.matchAll(/<name>([^<]*)<\/name>/g)].map(([, name]) => name)
    return TREE_FILES.includes(path)
      ? names.map(() => path)
      : [path, ...names.map((name) => `${path === '/' ? '' : path}/${name}`)]
  })
}

const pick = <T>({ random }: Judged, from: readonly T[]): T => {
  const picked = from[random.integer(from.length)]
  if (picked === undefined) throw new Error('There is nothing to pick.')
  return picked
}

/** The paths whose properties the person may change, tried in one transaction that is never committed. */
async function changeable(as: TestPerson, paths: readonly string[]): Promise<string[]> {
  const me = '/svn/orchard/core/!svn'
  const begun = await dav('POST', `${me}/me`, {
    as,
    headers: { 'content-type': 'application/vnd.svn-skel' },
    body: '( create-txn )',
  })
  if (begun.status !== 201) return []
  const name = String(begun.headers['svn-txn-name'])
  const changed: string[] = []
  for (const path of paths) {
    const address = `${me}/txr/${name}${path}`
    const { status } = await dav('PROPPATCH', address, { as, headers: { 'content-type': 'text/xml' }, body: PROPERTY })
    if (status === 207) changed.push(path)
  }
  await dav('DELETE', `${me}/txn/${name}`, { as })
  return changed
}

const PROPERTY = `<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:" xmlns:C="http://subversion.tigris.org/xmlns/custom/">
<D:set><D:prop><C:note>new</C:note></D:prop></D:set></D:propertyupdate>`

/** Commits run one at a time: a concurrent commit to the same path is out of date. */
let turn: Promise<unknown> = Promise.resolve()
let commits = 0

async function commitAsClient(as: TestPerson, allowed: readonly string[], refused: string): Promise<string[]> {
  const commit = (paths: readonly string[]) => {
    const changes = paths.flatMap((path) => ['propset', 'note', String(commits), path.slice(1) || '.'])
    return svnmucc(as, '--root-url', CORE, '-m', 'Change.', ...changes)
  }
  const before = await readYoungestRevision(folder)
  if (allowed.length > 0) {
    commits++
    const { error } = await commit(allowed)
    if ((await readYoungestRevision(folder)) !== before + 1) return [`a commit to ${allowed.join(' ')} fails: ${error}`]
  }
  const between = await readYoungestRevision(folder)
  await commit([...allowed.slice(0, 3), refused])
  return (await readYoungestRevision(folder)) === between ? [] : [`a commit to ${refused} is taken`]
}

describe('the rights of generated access files are those that Subversion computes', () => {
  test(`Z42 for the svn client, ${TRIED} times`, { timeout: 600_000 }, async () => {
    const wrong = await findWrong(async (one) => {
      const begin = beginnings(one)
      const wanted = begin.flatMap((path) => reachable(one, path))
      const shown = begin.length > 0 ? await listed(one, begin) : []
      const answers = await Promise.all(
        hidden(one).map(async (path) => ({
          path,
          status: (await dav('GET', `/svn/orchard/core${path}`, { as: one.person })).status,
        })),
      )
      return [
        ...differing('svn ls', shown, wanted),
        ...answers.filter(({ status }) => status !== 403).map(({ path, status }) => `GET ${path} gives ${status}`),
      ]
    })
    expect(wrong).toEqual([])
  })

  test(`Z42 for the browser, ${TRIED} times in lists, ${SINGLE} times path by path`, { timeout: 600_000 }, async () => {
    const wrong = await findWrong(async (one) => {
      const get = (query: string) => api.get(`/svn/${id}/${query}`, { as: one.person })
      const { json } = await get('revisions/1')
      const changed = (json.paths ?? []).map(({ path }: { path: string }) => path)
      const seen = differing(
        'revision 1',
        changed,
        readable(one).filter((path) => path !== '/'),
      )
      const [begin] = beginnings(one)
      if (begin !== undefined) {
        const files = (await get(`diff?path=${begin}&from=0&to=1`)).json.files.map(({ path }: { path: string }) => path)
        const wanted = reachable(one, begin).filter((path) => path !== '/')
        seen.push(...differing(`diff of ${begin}`, files, wanted))
      }
      for (let count = 0; count < SINGLE_OF_EACH; count++) {
        const path = pick(one, PATHS)
        const what = pick(one, TREE_FILES.includes(path) ? FILE_ROUTES : FOLDER_ROUTES)
        const { status } = await get(`${what}?path=${path}`)
        if ((status === 200) !== readable(one).includes(path)) seen.push(`${what} ${path} gives ${status}`)
      }
      return seen
    })
    expect(wrong).toEqual([])
  })

  test(`Z42 for commits, ${WRITES} times or less in transactions, and in some full commits of the client`, {
    timeout: 600_000,
  }, async () => {
    const wrong = await findWrong(async (one) => {
      const [allowed, refused] = [writable(one), PATHS.filter((path) => !writable(one).includes(path))]
      const tried = [...new Set(Array.from({ length: WRITES_OF_EACH }, () => pick(one, PATHS)))]
      const wanted = tried.filter((path) => allowed.includes(path))
      const said = differing('the transaction', await changeable(one.person, tried), wanted)
      // The client reads the root first.
      if (one.rights.get('/') === 'no' || one.random.integer(4) > 0) return said
      const inTurn = turn.then(() => commitAsClient(one.person, allowed, pick(one, refused)))
      turn = inTurn.catch(() => [])
      return [...said, ...(await inTurn)]
    })
    expect(wrong).toEqual([])
    expect(commits).toBeGreaterThanOrEqual(ACCESS_FILES.length)
  })
})
