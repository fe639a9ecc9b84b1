import { createRepeatableRandom } from '../fuzz/random.ts'
import { createCanaryIndex } from './canaries.ts'
import { inParallel } from './in-parallel.ts'
import { playBatch } from './play-batch.ts'
import {
  changeSettings,
  type Block,
  createBlock,
  createSite,
  deleteHooks,
  type WorldEnvironment,
  type Site,
} from './fixture.ts'

/** Batches that share trackers and hooks: making these takes as long as several worlds. */
const BATCHES_PER_BLOCK = 10
const MAX_ATTEMPTS = 5
const SETUP_CONCURRENCY = 4

interface WorldsRun {
  readonly seed: string
  readonly worlds: number
  /** The number of the first, rounded down to one whose batch begins with new trackers. */
  readonly from?: number
  /** Worlds that are played side by side. */
  readonly worldsPerBatch?: number
  readonly report?: (figures: WorldFigures) => void
}

export interface WorldFigures {
  /** The number of the last. */
  last: number
  worlds: number
  readonly leaks: string[]
  /** Canaries that came to readers who may have them, by channel. */
  readonly found: Map<string, number>
  /** Failed requests, after which a batch was played again, or its trackers were made again. */
  readonly failures: string[]
}

export async function runWorlds(environment: WorldEnvironment, run: WorldsRun): Promise<WorldFigures> {
  const { seed, worlds, from = 0, worldsPerBatch = 12, report } = run
  await changeSettings(environment)
  const index = createCanaryIndex()
  const figures: WorldFigures = { last: 0, worlds: 0, leaks: [], found: new Map(), failures: [] }
  /** On a busy machine, or after a pause of the whole process, requests fail with 503. */
  const retry = async <Result>(what: string, work: (attempt: number) => Promise<Result>): Promise<Result> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work(attempt)
      } catch (error) {
        figures.failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
        report?.(figures)
        if (attempt === MAX_ATTEMPTS) throw error
      }
    }
  }
  const sites = await createSites(environment, worldsPerBatch)
  let blocks: readonly Block[] = []
  const first = Math.floor(from / worldsPerBatch / BATCHES_PER_BLOCK) * BATCHES_PER_BLOCK
  for (let number = first; number * worldsPerBatch < from + worlds; number++) {
    const isFirst = number % BATCHES_PER_BLOCK === 0
    if (isFirst)
      blocks = await retry(`trackers of batch ${number}`, (attempt) =>
        renewBlocks(
          environment,
          sites,
          blocks,
          createName(number, attempt),
          `${seed} block ${number / BATCHES_PER_BLOCK}`,
        ),
      )
    const batch = { seed, number, blocks, from: number * worldsPerBatch, isFirst }
    await retry(`batch ${number}`, (attempt) => playBatch(environment, index, { ...batch, attempt }, figures))
    figures.worlds += blocks.length
    figures.last = batch.from + blocks.length - 1
    report?.(figures)
  }
  return figures
}

async function createSites(environment: WorldEnvironment, count: number): Promise<Site[]> {
  const sites: Site[] = []
  for (let at = 0; at < count; at++) sites.push(await createSite(environment, `site${at}`))
  return sites
}

/** Names of trackers are unique in a project. */
function createName(number: number, attempt: number): string {
  return attempt === 0 ? `b${number}` : `b${number}a${attempt}`
}

async function renewBlocks(
  environment: WorldEnvironment,
  sites: readonly Site[],
  old: readonly Block[],
  name: string,
  seed: string,
): Promise<Block[]> {
  await inParallel(old, SETUP_CONCURRENCY, (block) => deleteHooks(environment, block))
  const blocks: Block[] = []
  await inParallel(sites.entries(), SETUP_CONCURRENCY, async ([at, site]) => {
    blocks[at] = await createBlock(environment, site, `${name}x${at}`, createRepeatableRandom(`${seed} ${at}`))
  })
  return blocks
}
