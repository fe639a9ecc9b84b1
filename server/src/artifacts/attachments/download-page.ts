import { contentOfFile } from '../../files/content-of-file.ts'
import { downloadUrl } from '../../files/represent-file.ts'
import type { WebPageResponse, WebPageRequest, WebPage } from '../../platform/http/web-page.ts'
import { openFilePage } from './open-file-page.ts'

/** The target of `html_url`: sends the bytes. Only the id selects the file; a wrong name redirects to the right one. */
export const downloadPage: WebPage = { path: '/files/:id/*', open: (visit) => show(visit) }

/** The address without a name. */
export const namelessDownloadPage: WebPage = { path: '/files/:id', open: (visit) => show(visit) }

function show(visit: WebPageRequest): Promise<WebPageResponse> {
  const { context, params } = visit
  return openFilePage(visit, async (file) =>
    params['*'] === file.name ? contentOfFile(context, file) : { leadsTo: downloadUrl(file) },
  )
}
