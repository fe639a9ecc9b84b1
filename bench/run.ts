import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { print, table } from '../server/src/commands/print.ts'
import { APP_ROLE, createRolesAndDatabase, startPostgres } from '../server/src/platform/database/local-postgres.ts'
import { migrate } from '../server/src/platform/database/migrate.ts'
import { type ArtifactFigures, type ArtifactOptions, measureArtifacts } from './artifacts/run.ts'
import { MAX_VIEWERS } from './artifacts/keys.ts'
import { measureSpace, type SpaceFigures } from './artifacts/space.ts'
import { refreshStatements } from './artifacts/statements.ts'
import { writeCharts } from './charts/write.ts'
import { compareWithKept, type Measured } from './compare.ts'
import { type DirectoryFigures, measureDirectory } from './directory/run.ts'
import { type FeedOrderResult, measureFeedOrder } from './feed-order.ts'
import { type FeedFigures, isFeedRight, MAX_FEED_P95_MS, measureFeed } from './feed/run.ts'
import { type FileFigures, measureFiles } from './files/run.ts'
import { type Growth, measureGrowth } from './growth.ts'
import { brokenByArtifacts, brokenByQueries } from './judge.ts'
import { type LiveFigures, type LiveOptions, measureLive } from './live/run.ts'
import { brokenByPages } from './pages/budgets.ts'
import { measurePages, type PageFigures } from './pages/run.ts'
import { type GrowthFigure, measureGrowthOfSizes } from './queries/growth.ts'
import { measureQueries, type QueryFigures, type QueryOptions } from './queries/run.ts'
import { measureSequencing, type SequencingResult } from './sequencing.ts'
import { measureSvn, type SvnFigures } from './svn/run.ts'
import { MAX_LETTER_P95_MS, measureTyping, type TypingFigures } from './typing/run.ts'
import { measureWebhooks, type WebhookFigures } from './webhooks/run.ts'

const FIGURES = new URL('figures.json', import.meta.url)
const MAX_GROWTH_RATIO = 2
/** The duration of one part of a measurement, and the maximum of its warm-up. */
const PART_SECONDS = 30
/** The maximum memory growth of a server by an upload of any size, in MB. */
const MAX_MEMORY_GROWTH_MB = 100
/** The 95th percentile for pages of a repository, in ms. */
const MAX_PAGE_P95_MS = 300
/** The maximum cost of a commit relative to bare Apache. */
const MAX_COMMIT_COST_RATIO = 1.5
/** The first sync of a directory of 50,000 people, and one without a change. */
const MAX_FIRST_SYNC_SECONDS = 300
const MAX_SECOND_SYNC_SECONDS = 30

/**
 * `npm run bench` measures at full size, `-- --smoke` at a small one, `-- --full` with ten million artifacts; `--
 * --write` stores the figures. `--data` names a folder that keeps the artifacts for the next run.
 */
const { values } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    /** `statements` stores those of the engine; `growth`, `platform`, `artifacts`, `queries`, `typing`, `feed`, `webhooks`, `live`, `files`, `svn`, `directory` or `pages`: measures only these. */
    only: { type: 'string' },
    size: { type: 'string' },
    seconds: { type: 'string' },
    data: { type: 'string' },
    operations: { type: 'string', default: '' },
    /** The callers of a skewed load. */
    viewers: { type: 'string', default: String(MAX_VIEWERS) },
    profile: { type: 'boolean', default: false },
    /** `slow-query`: a server that uses no index, to verify that the measurement fails. */
    plant: { type: 'string' },
    explain: { type: 'boolean', default: false },
    /** For `--only growth`. */
    sizes: { type: 'string', default: '10000,100000,1000000' },
    /** Only prints the disk space of the artifacts. */
    space: { type: 'boolean', default: false },
    /** How long the transactions of `feed` stay open. */
    minutes: { type: 'string' },
    handovers: { type: 'string' },
    /** Of each case of `webhooks`. */
    deliveries: { type: 'string' },
  },
})
const small = { users: 100, projects: 10 }
const large = values.smoke ? { users: 500, projects: 50 } : { users: 100_000, projects: 10_000 }

const isWanted = (part: string) => (values.only === undefined && !values.space) || values.only === part
let isLiveRight = true
let isFeedOrdered = true
let areWebhooksRight = true
let isTypingRight = true
let hasCurrentStatements = true
const broken: string[] = []
const plant = values.plant === 'slow-query' ? values.plant : undefined
if (values.plant !== plant) throw new Error(`--plant ${values.plant} is not known.`)
const isPlatformRight = !isWanted('platform') || (await measurePlatform())
const sharesData = ['typing', 'live', 'feed', 'webhooks'].some(isWanted) || values.only === 'pages'
if (isWanted('artifacts') || isWanted('queries') || (sharesData && values.smoke)) await withData(runArtifactsAndQueries)
if (values.space) await withData(runSpace)
if (values.only === 'growth') await withData(runGrowth)
if (values.only === 'statements') await withData((data) => refreshStatements({ size: sizeOf(), data }))
if (isWanted('typing') && !values.smoke) await withData((data) => runTyping(data))
if (isWanted('feed') && !values.smoke) await withData((data) => runFeed(join(data, 'feed')))
if (isWanted('webhooks') && !values.smoke) await withData((data) => runWebhooks(join(data, 'webhooks')))
const areFilesRight = !isWanted('files') || (await runFiles())
if (isWanted('live') && !values.smoke) await withData((data) => runLive(join(data, 'live')))
if (isWanted('pages') && !values.smoke) await withData((data) => runPages(join(data, 'pages')))
const isDirectoryRight = !isWanted('directory') || (await runDirectory())
const isBrowsedInTime = !isWanted('svn') || (await measureBrowsing())
for (const each of broken) print(`not reached: ${each}`)
// A small run on a busy machine says nothing about speed: it only shows that the measurement works.
const isFastEnough = broken.length === 0 || values.smoke
const areEventsRight = isLiveRight && isFeedOrdered && areWebhooksRight
const isRight = isPlatformRight && isTypingRight && areFilesRight && areEventsRight && hasCurrentStatements
process.exitCode = isRight && isDirectoryRight && isBrowsedInTime && isFastEnough ? 0 : 1

async function runArtifactsAndQueries(data: string): Promise<void> {
  if (isWanted('artifacts')) {
    const figures = await measureArtifacts(artifactOptions(data), values.write)
    hasCurrentStatements = figures.has_current_statements
    await compareArtifacts(figures)
    broken.push(...brokenByArtifacts(figures))
    if (values.write) await keep({ artifacts: figures })
  }
  if (isWanted('queries')) {
    const figures = await measureQueries(queryOptions(data))
    await compareQueries(figures)
    broken.push(...brokenByQueries(figures))
    if (values.write) await keep({ queries: figures })
  }
  if (isWanted('typing') && values.smoke) await runTyping(data)
  if (isWanted('feed') && values.smoke) await runFeed(data)
  if (isWanted('webhooks') && values.smoke) await runWebhooks(data)
  // Live queries write, so they come last; at full size they have their own data.
  if (isWanted('live') && values.smoke) await runLive(data)
  // The browser is the slowest part: a small run includes it only on request.
  if (values.only === 'pages' && values.smoke) await runPages(data)
}

/** In a temporary folder. */
async function runFiles(): Promise<boolean> {
  const data = await makeTemporaryFolder()
  try {
    const figures = await measureFiles({ isSmall: values.smoke, data })
    if (values.write) await keep({ files: figures })
    // In a small run, most of the growth is the start of the server.
    return figures.resumed.is_right && (values.smoke || figures.resumed.memory_growth < MAX_MEMORY_GROWTH_MB)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

/** Only correctness decides: speed needs an otherwise idle machine. */
async function runLive(data: string): Promise<void> {
  const figures = await measureLive(liveOptions(data))
  if (values.write) await keep({ live: figures })
  isLiveRight = figures.is_right
}

async function runGrowth(data: string): Promise<void> {
  const sizes = values.sizes.split(',').map(Number)
  const growth = await measureGrowthOfSizes(sizes, data, queryOptions(data))
  broken.push(...brokenByQueries({ questions: [], growth, as_of: [] }))
  if (values.write) await keep({ size_growth: { operations: growth } })
}

async function runSpace(data: string): Promise<void> {
  const space = await measureSpace({ size: sizeOf(), data })
  if (values.write) await keep({ space })
}

async function runFeed(data: string): Promise<void> {
  const figures = await measureFeed({
    data,
    seconds: values.minutes === undefined && values.smoke ? 3 : 60 * Number(values.minutes ?? 10),
    handovers: Number(values.handovers ?? (values.smoke ? 10 : 100)),
    writesPerSecond: 20,
  })
  isFeedOrdered = isFeedRight(figures)
  if (figures.held.worst_p95_ms > MAX_FEED_P95_MS)
    broken.push(`feed beside held transactions: 95 of 100 within ${figures.held.worst_p95_ms} ms in the worst part`)
  if (values.write) await keep({ feed: figures })
}

async function runTyping(data: string): Promise<void> {
  const size = Number(values.size ?? (values.smoke ? 10_000 : 100_000))
  // A run of everything keeps the artifacts of another size in the same folder.
  const home = values.smoke || values.only === 'typing' ? data : join(data, 'typing')
  const figures = await measureTyping({ size, rounds: values.smoke ? 1 : 5, data: home })
  isTypingRight = figures.is_right
  for (const { role, p95_ms } of figures.roles)
    if (p95_ms > MAX_LETTER_P95_MS)
      broken.push(
        `search while typing (${role}): 95 of 100 letters within ${p95_ms} ms instead of ${MAX_LETTER_P95_MS}`,
      )
  if (values.write) await keep({ typing: figures })
}

async function runWebhooks(data: string): Promise<void> {
  const deliveries = Number(values.deliveries ?? (values.smoke ? 100 : 10_000))
  const figures = await measureWebhooks({ size: 10_000, deliveries, data })
  areWebhooksRight = figures.is_right
  for (const { name, a_second, goal } of figures.cases)
    if (a_second < goal) broken.push(`webhooks, ${name}: ${a_second} a second instead of ${goal}`)
  if (values.write) await keep({ webhooks: figures })
}

async function runPages(data: string): Promise<void> {
  const size = Number(values.size ?? (values.smoke ? 10_000 : 100_000))
  const figures = await measurePages({ size, rounds: values.smoke ? 1 : 40, data })
  if (!figures) return
  broken.push(...brokenByPages(figures.figures))
  if (values.write) await keep({ pages: figures })
}

function liveOptions(data: string): LiveOptions {
  const seconds = Number(values.seconds ?? (values.smoke ? 2 : 60))
  const size = Number(values.size ?? (values.smoke ? 10_000 : 100_000))
  return { size, seconds, data, ...(values.smoke ? { people: 2, idle: 3 } : { people: 25, idle: 250 }) }
}

async function runDirectory(): Promise<boolean> {
  const folder = await makeTemporaryFolder()
  try {
    const size = values.smoke ? { people: 500, groups: 50 } : { people: 50_000, groups: 5000 }
    const figures: DirectoryFigures = await measureDirectory(folder, size)
    print(`directory: ${JSON.stringify(figures)}`)
    if (values.write) await keep({ directory: figures })
    const { first, second, first_seconds, second_seconds } = figures
    const isComplete = first.created === size.people && first.groups === size.groups
    const isUnchanged = second.created + second.updated + second.joined + second.left + second.suspended === 0
    const isInTime = first_seconds <= MAX_FIRST_SYNC_SECONDS && second_seconds <= MAX_SECOND_SYNC_SECONDS
    return isComplete && isUnchanged && (values.smoke || isInTime)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureBrowsing(): Promise<boolean> {
  const data = await makeTemporaryFolder()
  try {
    const size = values.smoke
      ? { revisions: 200, requests: 5, commits: 3 }
      : { revisions: 10_000, requests: 100, commits: 30 }
    const figures = await measureSvn({ data, ...size })
    if (values.write) await keep({ svn: figures })
    const promised = figures.operations.filter(({ operation }) => /^(?:tree|log|diff)/.test(operation))
    const isInTime = promised.every(({ p95_ms }) => p95_ms <= MAX_PAGE_P95_MS)
    return values.smoke || (isInTime && figures.commit.ratio <= MAX_COMMIT_COST_RATIO)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

/** A folder for the data of both parts; a temporary one unless `--data` names one. */
async function withData(work: (data: string) => Promise<void>): Promise<void> {
  const data = values.data ?? (await makeTemporaryFolder())
  try {
    await work(data)
  } finally {
    if (values.data === undefined) await rm(data, { recursive: true, force: true })
  }
}

async function makeTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-bench-'))
  await chmod(folder, 0o711) // PostgreSQL may run as another user, who needs to traverse it.
  return folder
}

function sizeOf(): number {
  const size = Number(values.size ?? (values.smoke ? 10_000 : values.full ? 10_000_000 : 1_000_000))
  if (!(size >= 10_000 && size % 10_000 === 0)) throw new Error('--size must be a multiple of 10,000.')
  return size
}

/** The requested operations; by default a few in a small run, else all. */
function operationsOr(few: readonly string[]): readonly string[] {
  const asked = values.operations.split(',').filter(Boolean)
  return asked.length > 0 || !values.smoke ? asked : few
}

function queryOptions(data: string): QueryOptions {
  const seconds = Number(values.seconds ?? (values.smoke ? 0.4 : PART_SECONDS))
  return {
    size: sizeOf(),
    plant,
    seconds,
    warmUp: seconds,
    turns: values.smoke ? 1 : 3,
    isBrief: values.smoke,
    queries: values.smoke ? 40 : 1000,
    data,
    only: operationsOr(['list', 'text', 'groups', 'generated', 'as-of', 'growth']),
    explains: values.explain,
  }
}

function artifactOptions(data: string): ArtifactOptions {
  const seconds = Number(values.seconds ?? (values.smoke ? 1 : PART_SECONDS))
  return {
    size: sizeOf(),
    plant,
    seconds,
    warmUp: seconds,
    turns: values.smoke ? 1 : 2,
    bulk: values.smoke ? 1000 : 100_000,
    data,
    viewers: Number(values.viewers),
    only: operationsOr(['get', 'get-skewed', 'not-modified-skewed', 'mixed-skewed', 'put', 'post', 'basic', 'bulk']),
    profile: values.profile,
  }
}

async function measurePlatform(): Promise<boolean> {
  const feed = await feedOrder(
    values.smoke ? { writers: 20, events: 2000, held: 4 } : { writers: 50, events: 21_200, held: 12 },
  )
  print(`feed: ${JSON.stringify(feed)}`)
  const growth = await measureGrowth(small, large, values.smoke ? 20 : 400)
  print(
    table([
      ['operation', 'rows', `p50, ${small.users} people`, `p50, ${large.users} people`, 'ratio'],
      ...growth.map(({ operation, rows, small_p50_ms, large_p50_ms, ratio }) => [
        operation,
        String(rows),
        `${small_p50_ms.toFixed(2)} ms`,
        `${large_p50_ms.toFixed(2)} ms`,
        ratio.toFixed(2),
      ]),
    ]),
  )
  if (values.write) await keep({ feed_order: feed, growth: { small, large, operations: growth } })
  const { skipped, repeated, out_of_order, uncaused, torn, rolled_back_but_seen } = feed
  const isOrdered = skipped + repeated + out_of_order + uncaused + torn + rolled_back_but_seen === 0
  // A small run on a busy machine says nothing about speed: it only shows that the measurement works.
  return isOrdered && (values.smoke || growth.every(({ ratio }) => ratio <= MAX_GROWTH_RATIO))
}

async function feedOrder({
  writers,
  events,
  held,
}: {
  writers: number
  events: number
  held: number
}): Promise<FeedOrderResult & { sequencing: SequencingResult }> {
  const directory = await makeTemporaryFolder()
  const settings = { max_connections: '200' }
  const postgres = await startPostgres({
    data: join(directory, 'data'),
    socket: join(directory, 'socket'),
    durable: true,
    settings,
  })
  try {
    const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: postgres.host, database: 'feed' })
    await migrate({ url: ownerUrl, appRole: APP_ROLE })
    const order = await measureFeedOrder({
      url: appUrl,
      writers,
      events,
      held: { count: held, milliseconds: 3000 },
      seed: 20260301,
    })
    return { ...order, sequencing: await measureSequencing(appUrl) }
  } finally {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

/** Figures of different sizes are not comparable. */
async function compareArtifacts({ size, operations }: ArtifactFigures): Promise<void> {
  const { artifacts } = await readKept()
  if (artifacts?.size === size) print(compareWithKept(artifacts.operations.map(named), operations.map(named)))
}

function named({ operation, role, ...rates }: ArtifactFigures['operations'][number]): Measured {
  return { ...rates, operation: `${operation} (${role})` }
}

async function compareQueries({ size, questions }: QueryFigures): Promise<void> {
  const { queries } = await readKept()
  const asked = (each: QueryFigures['questions'][number]) => ({ ...each, operation: each.question })
  if (queries?.size === size) print(compareWithKept(queries.questions.map(asked), questions.map(asked)))
}

async function readKept(): Promise<Kept> {
  return JSON.parse(await readFile(FIGURES, 'utf8').catch(() => '{}'))
}

interface Kept {
  directory?: DirectoryFigures
  feed_order?: FeedOrderResult
  growth?: { small: object; large: object; operations: Growth[] }
  artifacts?: ArtifactFigures
  queries?: QueryFigures
  live?: LiveFigures
  feed?: FeedFigures
  webhooks?: WebhookFigures
  typing?: TypingFigures
  size_growth?: { operations: readonly GrowthFigure[] }
  space?: SpaceFigures
  files?: FileFigures
  svn?: SvnFigures
  pages?: PageFigures
}

async function keep(made: Kept): Promise<void> {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const machine = `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}`
  const kept = await readKept()
  const circumstances = { date: new Date().toISOString().slice(0, 10), commit, machine }
  const figures = Object.entries(made).map(([name, figure]: [string, object]) => [
    name,
    { ...circumstances, ...figure },
  ])
  await writeFile(FIGURES, `${JSON.stringify({ ...kept, ...Object.fromEntries(figures) }, null, 2)}\n`)
  await writeCharts()
}
