import { contentOfFile, SANDBOX_HEADERS } from '../../files/content-of-file.ts'
import type { StoredFile } from '../../files/file.ts'
import { getPreview } from '../../files/previews/preview.ts'
import { representFile } from '../../files/represent-file.ts'
import { type SendableContent, bufferContent } from '../../platform/http/send-content.ts'
import type { WebPage } from '../../platform/http/web-page.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { openFilePage } from './open-file-page.ts'

/** The target of `html_preview_url`: a thumbnail of an image. */
export const previewPage: WebPage = {
  path: '/files/:id/preview',
  open: (visit) => openFilePage(visit, (file) => show(visit.context, file)),
}

async function show(context: Context, file: StoredFile): Promise<SendableContent> {
  // A file named `preview` takes precedence at this address.
  if (file.name.toLowerCase() === 'preview') return contentOfFile(context, file)
  const preview = hasPreview(file) ? await getPreview(context, file) : undefined
  if (!preview) throw new ApiError('not_found', { cause: 'file_not_found' })
  const { type, bytes } = preview
  const headers = { ...SANDBOX_HEADERS, 'content-disposition': 'inline' }
  return { ...bufferContent(bytes), type, etag: `"${file.digest}.preview"`, modified: file.created_on, headers }
}

function hasPreview(file: StoredFile): boolean {
  return representFile(file, { isTemporary: false }).html_preview_url !== null
}
