import { createRepeatableRandom, type RepeatableRandom } from '../fuzz/random.ts'
import { ADA, type TestPerson, RITA } from '../../fixtures/people.ts'
import type { CanaryIndex, World } from './canaries.ts'
import {
  assertNoMailIsHeldBack,
  drawHookReaders,
  drawRights,
  type HookReader,
  resetMailLimit,
  restartHooks,
} from './draw.ts'
import { inParallel } from './in-parallel.ts'
import { type BatchResult, createJudge, type Judge } from './judge.ts'
import { decodeBody } from './receivers.ts'
import { ACCOUNTS, type Block, call, type WorldEnvironment, type HookOfBlock } from './fixture.ts'
import { type OpenStream, openStreams, readStream } from './streams.ts'
import { type Reader, readTruth } from './truth.ts'
import { workOffInParallel } from './work-off.ts'
import { writeWorld } from './write-world.ts'

/** Worlds that are written, delivered and read together, one in each block. */
export interface WorldBatch {
  readonly seed: string
  readonly number: number
  readonly blocks: readonly Block[]
  /** The number of the world in the first block. */
  readonly from: number
  /** Makes canaries differ where a batch is played again after a failure. */
  readonly attempt: number
  /** The rights are those of other worlds until they are drawn. */
  readonly isFirst: boolean
}

const REQUESTS_CONCURRENCY = 4
const EVENTS_PER_PAGE = 1000
const READERS: readonly Reader[] = [undefined, ...ACCOUNTS]

/**
 * Draws rights, writes artifacts full of canaries, and compares every channel with what its reader can GET. `result`
 * keeps leaks that were found before a request failed.
 */
export async function playBatch(
  ground: WorldEnvironment,
  index: CanaryIndex,
  batch: WorldBatch,
  result: BatchResult,
): Promise<void> {
  const { api, context, peers } = ground
  const { blocks } = batch
  const random = createRepeatableRandom(`${batch.seed} batch ${batch.number}`)
  const randomOf = new Map(
    blocks.map((block, at) => [block, createRepeatableRandom(`${batch.seed} world ${batch.from + at}`)]),
  )
  const forEachBlock = (handle: (block: Block, random: RepeatableRandom, at: number) => Promise<void>) =>
    inParallel([...randomOf].entries(), REQUESTS_CONCURRENCY, ([at, [block, own]]) => handle(block, own, at))
  await call(api, 'PATCH', `/users/${RITA.id}`, { status: random.chance(0.2) ? 'S' : 'R' })
  // Deliveries, mails and pages of the feed go by the rights of their own time, not of the time of the change.
  const isDrawnLate = !batch.isFirst && random.chance(0.3)
  if (!isDrawnLate) await forEachBlock((block, own) => drawRights(ground, block.site, own))
  const hooks = new Map(blocks.flatMap((block) => [...drawHookReaders(block, randomOf.get(block) ?? random)]))
  await restartHooks(ground, hooks)
  await resetMailLimit(ground)
  peers.bodies.clear()
  peers.mails.clear()
  const { next: place } = (await api.get('/events?after=now')).json
  // These receive events before the rights are drawn, if that is late.
  const streams = isDrawnLate ? [] : await openStreams(ground, blocks, random)
  try {
    const worlds: World[] = []
    await forEachBlock(async (block, own, at) => {
      const number = batch.from + at
      const world = await writeWorld(ground, block, number, `n${number}x${batch.attempt}`, own)
      worlds[at] = world
      index.add(world)
    })
    if (isDrawnLate) await forEachBlock((block, own) => drawRights(ground, block.site, own))
    await workOffInParallel(context)
    await assertNoMailIsHeldBack(ground)
    const truth = readTruth(ground, worlds)
    const judge = createJudge(index, truth, result)
    await judgeStreams(streams, judge)
    await forEachBlock((block, own) => judgeHooks(ground, block, hooks, judge, result, own))
    await inParallel(READERS, REQUESTS_CONCURRENCY, (reader) => judgeFeed(ground, place, reader, judge))
    for (const reader of ACCOUNTS)
      for (const mail of peers.mails.get(reader.email) ?? []) await judge('mail', mail, reader)
    const [reader, world] = [random.pickAny(READERS), random.pickAny(worlds)]
    for (const text of world ? await truth.findOnlyListed(reader, world) : [])
      result.leaks.push(`world ${world?.number}: list: ${reader?.login} got ${text}`)
  } finally {
    for (const { stream } of streams) stream.close()
  }
}

async function judgeStreams(streams: readonly OpenStream[], judge: Judge): Promise<void> {
  for (const { stream } of streams) stream.close()
  for (const { channel, reader, stream } of streams) await judge(channel, stream.text(), reader)
}

async function judgeHooks(
  { api, peers }: WorldEnvironment,
  block: Block,
  readers: ReadonlyMap<HookOfBlock, HookReader>,
  judge: Judge,
  { leaks }: BatchResult,
  random: RepeatableRandom,
): Promise<void> {
  for (const hook of block.hooks) {
    const { owner, as_user } = readers.get(hook) ?? { owner: ADA, as_user: ADA }
    const bodies = peers.bodies.get(hook.path) ?? []
    if (bodies.length === 0) continue
    const isRunning = (await api.get(`/webhooks/${hook.id}`, { as: owner })).status === 200
    if (!isRunning) leaks.push(`hook ${hook.id} of ${owner.login}, who may not run it, delivered`)
    for (const body of bodies) await judge('webhook', body, as_user ?? owner, as_user === null ? block : undefined)
  }
  for (const reader of ACCOUNTS) {
    const hook = random.pickAny(block.hooks)
    if (hook) await judgeLog(api, hook.id, reader, judge)
  }
}

async function judgeLog(api: WorldEnvironment['api'], hook: number, as: TestPerson, judge: Judge): Promise<void> {
  const log = await api.get(`/webhooks/${hook}/deliveries?limit=2`, { as })
  if (log.status !== 200) return
  await judge('log', log.text, as)
  for (const { id } of log.json) {
    const { json } = await api.get(`/webhooks/${hook}/deliveries/${id}`, { as })
    await judge('log', decodeBody(json.request?.body ?? '') + JSON.stringify(json), as)
  }
}

/** The page, and then the stream from the same place. */
async function judgeFeed(ground: WorldEnvironment, place: string, reader: Reader, judge: Judge): Promise<void> {
  const path = `/events?after=${place}&limit=${EVENTS_PER_PAGE}`
  const page = await ground.api.get(path, reader && { as: reader })
  if (page.status !== 200) return
  if (page.json.has_more) throw new Error(`The batch has more events than a page: ${page.json.events.length}.`)
  await judge('feed', page.text, reader)
  const last: unknown = page.json.events.at(-1)?.id
  if (typeof last === 'string') await judge('stream', await readStream(ground, place, last, reader), reader)
}
