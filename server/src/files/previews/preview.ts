import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../platform/operation/context.ts'
import { createSemaphore, type Semaphore } from '../../platform/operation/semaphore.ts'
import type { StoredFile } from '../file.ts'
import { findContentType } from '../find-files.ts'
import { openFile } from '../open-file.ts'
import { previewKey } from '../store/blob-store.ts'
import { type RenderedPreview, renderInSubprocess } from './render-in-subprocess.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly previewRenderings: PreviewRenderings
  }
}

/** Maps image types to their preview types. */
const PREVIEW_TYPES = new Map([
  ['image/png', 'image/png'],
  ['image/gif', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
])

/** Larger images get no preview. */
const MAX_SOURCE_BYTES = 64 * 2 ** 20
const RENDER_CONCURRENCY = 2
const MAX_WAITING_RENDERS = 32
const MAX_REMEMBERED_FAILURES = 1000

type RenderContext = Pick<Context, 'db' | 'blobs' | 'log' | 'previewRenderings'>

/** A preview of an image file, rendered on first use; undefined if the file is not an image that can be rendered. */
export async function getPreview(
  context: RenderContext,
  file: StoredFile,
): Promise<{ readonly type: string; readonly bytes: Buffer } | undefined> {
  const { digest, size } = file
  if (digest === null || size > MAX_SOURCE_BYTES) return undefined
  const type = PREVIEW_TYPES.get(await findContentType(context.db, file))
  if (type === undefined) return undefined
  const bytes = (await findStoredPreview(context, digest)) ?? (await renderOnce(context, { ...file, digest }))
  return bytes.length > 0 ? { type, bytes } : undefined
}

const NOTHING = Buffer.alloc(0)

/** An empty preview records that rendering failed. */
async function findStoredPreview({ blobs }: RenderContext, digest: string): Promise<Buffer | undefined> {
  const size = await blobs.sizeOf(previewKey(digest))
  if (size === undefined || size === 0) return size === undefined ? undefined : NOTHING
  return buffer(await blobs.get(previewKey(digest)))
}

interface PreviewRenderings {
  readonly inProgress: Map<string, Promise<Buffer>>
  /** Digests that failed at a limit. */
  readonly failed: LRUCache<string, true>
  readonly semaphore: Semaphore
}

export function createPreviewRenderings(): PreviewRenderings {
  return {
    inProgress: new Map(),
    failed: new LRUCache({ max: MAX_REMEMBERED_FAILURES }),
    semaphore: createSemaphore(RENDER_CONCURRENCY, MAX_WAITING_RENDERS),
  }
}

async function renderOnce(context: RenderContext, file: StoredFile & { digest: string }): Promise<Buffer> {
  const { digest } = file
  const { inProgress, failed, semaphore } = context.previewRenderings
  if (failed.get(digest)) return NOTHING
  const others = inProgress.get(digest)
  if (others) return others
  const rendered = semaphore(() => renderPreview(context, file))
  inProgress.set(digest, rendered)
  try {
    return await rendered
  } finally {
    inProgress.delete(digest)
  }
}

async function renderPreview(context: RenderContext, file: StoredFile & { digest: string }): Promise<Buffer> {
  const rendered = await renderInSubprocess(await openFile(context, file))
  if (rendered === 'failed') return rememberFailure(context, file)
  const bytes = previewBytes(rendered)
  await context.blobs.put(previewKey(file.digest), Readable.from([bytes]))
  return bytes
}

function previewBytes(rendered: Exclude<RenderedPreview, 'failed'>): Buffer {
  return rendered === 'unreadable' ? NOTHING : rendered
}

/** Kept in memory only, because the machine may have been at fault. */
function rememberFailure(
  { log, previewRenderings }: RenderContext,
  { id, digest }: StoredFile & { digest: string },
): Buffer {
  log.warn({ file_id: id }, 'no preview could be drawn')
  previewRenderings.failed.set(digest, true)
  return NOTHING
}
