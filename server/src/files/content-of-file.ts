import type { SendableContent } from '../platform/http/send-content.ts'
import type { Config } from '../platform/operation/config.ts'
import type { Context } from '../platform/operation/context.ts'
import { contentDisposition } from './disposition.ts'
import type { StoredFile } from './file.ts'
import { findContentType } from './find-files.ts'
import { openFile } from './open-file.ts'
import { contentKey } from './store/blob-store.ts'

/** User content shares our host: nothing in it may execute, and no other site may embed it. */
export const SANDBOX_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-cache', // Permissions may change.
}

/** Types that a browser may show inline, if the declared type matches the content. */
const INLINE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'text/plain', 'application/pdf'])

/** The content of a file for an authorized reader, with its security headers. */
export async function contentOfFile(context: Context, file: StoredFile): Promise<SendableContent> {
  const type = await findContentType(context.db, file)
  const how = INLINE_TYPES.has(type) && type === declaredType(file) ? 'inline' : 'attachment'
  const inFront = accelPath(context.config, file)
  return {
    size: file.size,
    type: type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
    ...(isFixed(file) && { etag: `"${file.digest}"`, modified: file.created_on }),
    headers: { ...SANDBOX_HEADERS, 'content-disposition': contentDisposition(how, file.name) },
    ...(inFront !== undefined && { inFront }),
    open: (range) => openFile(context, file, range),
  }
}

/** Completely stored under its digest and immutable. */
function isFixed({ digest, is_attached, field_id }: StoredFile): boolean {
  return digest !== null && (is_attached || field_id !== null)
}

function declaredType({ media_type }: StoredFile): string {
  const [type = ''] = media_type.toLowerCase().split(';', 1)
  return type.trim() === 'image/jpg' ? 'image/jpeg' : type.trim()
}

/** The internal path for a front server that sends files itself, if configured. Empty files have no blob. */
function accelPath({ WAYPOST_FILES_ACCEL, WAYPOST_FILES }: Config, file: StoredFile): string | undefined {
  const { digest, size } = file
  if (WAYPOST_FILES_ACCEL === null || WAYPOST_FILES.kind !== 'disk' || digest === null || size === 0) return undefined
  return isFixed(file) ? `${WAYPOST_FILES_ACCEL}/${contentKey(digest)}` : undefined
}
