import { openStream, type ReceivedStream } from '../../harness/event-stream.ts'
import type { RepeatableRandom } from '../fuzz/random.ts'
import { ACCOUNTS, type Block, type WorldEnvironment } from './fixture.ts'
import type { Reader } from './truth.ts'

/** A stream that was opened before anything was written. */
export interface OpenStream {
  readonly channel: 'stream' | 'live'
  readonly reader: Reader
  readonly stream: ReceivedStream
}

/** Some accounts follow the feed, and the artifacts of a tracker. */
export async function openStreams(
  { api }: WorldEnvironment,
  blocks: readonly Block[],
  random: RepeatableRandom,
): Promise<OpenStream[]> {
  const [follower, ...watching] = random.shuffled(ACCOUNTS).slice(0, 3)
  const opened: OpenStream[] = []
  if (follower) {
    const stream = await openStream(api, '/events', { as: follower })
    opened.push({ channel: 'stream', reader: follower, stream })
  }
  for (const reader of watching) {
    const tracker = random.pickAny(blocks.flatMap(({ left, right }) => [left, right]))
    const stream = await openStream(api, `/trackers/${tracker}/artifacts/live?fields=id,values`, { as: reader })
    opened.push({ channel: 'live', reader, stream })
  }
  return opened
}

/** Follows the feed from the same place as the page: all that the page has comes. */
export async function readStream(
  { api }: WorldEnvironment,
  place: string,
  last: string,
  reader: Reader,
): Promise<string> {
  const stream = await openStream(api, `/events?after=${place}`, reader && { as: reader })
  try {
    await stream.until((frames) => frames.some(({ id }) => id === last) || stream.isOver())
    return stream.text()
  } finally {
    stream.close()
  }
}
