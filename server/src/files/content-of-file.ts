import type { Content } from '../platform/http/send-content.ts'
import type { Config } from '../platform/operation/config.ts'
import type { Context } from '../platform/operation/context.ts'
import { dispositionOf } from './disposition.ts'
import type { StoredFile } from './file.ts'
import { contentTypeOf } from './find-files.ts'
import { openFile } from './open-file.ts'
import { contentKey } from './store/blob-store.ts'

/** What people sent shares a host with us: nothing in it may run, and no other site may use it. */
export const GUARDED = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-cache', // Rights may change.
}

/** What a browser may show by itself, if the uploader says what the bytes say. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'text/plain', 'application/pdf'])

/** The bytes of a file, for somebody who may read them, with all that keeps them from doing harm. */
export async function contentOfFile(context: Context, file: StoredFile): Promise<Content> {
  const type = await contentTypeOf(context.db, file)
  const how = SHOWN.has(type) && type === saidType(file) ? 'inline' : 'attachment'
  const inFront = placeInFront(context.config, file)
  return {
    size: file.size,
    type: type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
    ...(isFixed(file) && { etag: `"${file.digest}"`, modified: file.created_on }),
    headers: { ...GUARDED, 'content-disposition': dispositionOf(how, file.name) },
    ...(inFront !== undefined && { inFront }),
    open: (range) => openFile(context, file, range),
  }
}

/** All of it lies under its digest, and nothing more comes. */
function isFixed({ digest, is_attached, field_id }: StoredFile): boolean {
  return digest !== null && (is_attached || field_id !== null)
}

function saidType({ media_type }: StoredFile): string {
  const [type = ''] = media_type.toLowerCase().split(';', 1)
  return type.trim() === 'image/jpg' ? 'image/jpeg' : type.trim()
}

/** Where a server in front of us finds the bytes, if it does. Empty ones lie nowhere. */
function placeInFront({ WAYPOST_FILES_ACCEL, WAYPOST_FILES }: Config, file: StoredFile): string | undefined {
  const { digest, size } = file
  if (WAYPOST_FILES_ACCEL === null || WAYPOST_FILES.kind !== 'disk' || digest === null || size === 0) return undefined
  return isFixed(file) ? `${WAYPOST_FILES_ACCEL}/${contentKey(digest)}` : undefined
}
