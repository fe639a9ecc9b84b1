import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ApiError } from '../../platform/words/errors.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { StoredFile } from '../file.ts'
import { contentTypeOf } from '../find-files.ts'
import { openFile } from '../open-file.ts'
import { previewKey } from '../store/blob-store.ts'
import { type Drawn, drawApart } from './draw-apart.ts'

/** From what a picture is to what its preview is. */
const DRAWN_AS = new Map([
  ['image/png', 'image/png'],
  ['image/gif', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
])

/** Larger ones are not for looking at in passing. */
const LARGEST = 64 * 2 ** 20
const AT_A_TIME = 2
const MOST_WAITING = 32
const MOST_REMEMBERED = 1000

type Drawing = Pick<Context, 'db' | 'blobs' | 'log'>

/** A small picture of a file that is one; undefined: it is none, or none that can be shown. Drawn when it is first wanted. */
export async function previewOf(
  context: Drawing,
  file: StoredFile,
): Promise<{ readonly type: string; readonly bytes: Buffer } | undefined> {
  const { digest, size } = file
  if (digest === null || size > LARGEST) return undefined
  const type = DRAWN_AS.get(await contentTypeOf(context.db, file))
  if (type === undefined) return undefined
  const bytes = (await findDrawn(context, digest)) ?? (await drawOnce(context, { ...file, digest }))
  return bytes.length > 0 ? { type, bytes } : undefined
}

const NOTHING = Buffer.alloc(0)

/** Nothing in it: it was tried, and cannot be done. */
async function findDrawn({ blobs }: Drawing, digest: string): Promise<Buffer | undefined> {
  const size = await blobs.sizeOf(previewKey(digest))
  if (size === undefined || size === 0) return size === undefined ? undefined : NOTHING
  return buffer(await blobs.get(previewKey(digest)))
}

/** Of this process: drawn right now, by digest; and what took too long or too much. */
const drawing = new Map<string, Promise<Buffer>>()
const hopeless = new Set<string>()

async function drawOnce(context: Drawing, file: StoredFile & { digest: string }): Promise<Buffer> {
  const { digest } = file
  if (hopeless.has(digest)) return NOTHING
  const others = drawing.get(digest)
  if (others) return others
  const drawn = inTurn(() => draw(context, file))
  drawing.set(digest, drawn)
  try {
    return await drawn
  } finally {
    drawing.delete(digest)
  }
}

async function draw(context: Drawing, file: StoredFile & { digest: string }): Promise<Buffer> {
  const drawn = await drawApart(await openFile(context, file))
  if (drawn === 'failed') return giveUp(context, file)
  const bytes = bytesOf(drawn)
  await context.blobs.put(previewKey(file.digest), Readable.from([bytes]))
  return bytes
}

function bytesOf(drawn: Exclude<Drawn, 'failed'>): Buffer {
  return drawn === 'unreadable' ? NOTHING : drawn
}

/** Not for ever: it may have been the fault of the machine. */
function giveUp({ log }: Drawing, { id, digest }: StoredFile & { digest: string }): Buffer {
  log.warn({ file_id: id }, 'no preview could be drawn')
  if (hopeless.size >= MOST_REMEMBERED) hopeless.clear()
  hopeless.add(digest)
  return NOTHING
}

let running = 0
const waiting: (() => void)[] = []

/** Few at a time, and not everybody may wait. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= MOST_WAITING) throw new ApiError('unavailable')
  if (running >= AT_A_TIME) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
