import { contentOfFile, GUARDED } from '../../files/content-of-file.ts'
import type { StoredFile } from '../../files/file.ts'
import { previewOf } from '../../files/previews/preview.ts'
import { representFile } from '../../files/represent-file.ts'
import { type Content, contentOf } from '../../platform/http/send-content.ts'
import type { WebPage } from '../../platform/http/web-page.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { openFilePage } from './open-file-page.ts'

/** Where `html_preview_url` leads: a small picture, of what is one. */
export const previewPage: WebPage = {
  path: '/files/:id/preview',
  open: (visit) => openFilePage(visit, (file) => show(visit.context, file)),
}

async function show(context: Context, file: StoredFile): Promise<Content> {
  // Whoever calls his file so has taken the address.
  if (file.name.toLowerCase() === 'preview') return contentOfFile(context, file)
  const preview = hasPreview(file) ? await previewOf(context, file) : undefined
  if (!preview) throw new ApiError('not_found', { cause: 'file_not_found' })
  const { type, bytes } = preview
  const headers = { ...GUARDED, 'content-disposition': 'inline' }
  return { ...contentOf(bytes), type, etag: `"${file.digest}.preview"`, modified: file.created_on, headers }
}

function hasPreview(file: StoredFile): boolean {
  return representFile(file, { isTemporary: false }).html_preview_url !== null
}
