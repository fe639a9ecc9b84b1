import { contentOfFile } from '../../files/content-of-file.ts'
import { downloadUrl } from '../../files/represent-file.ts'
import type { Shown, Visit, WebPage } from '../../platform/http/web-page.ts'
import { openFilePage } from './open-file-page.ts'

/** Where `html_url` leads: the bytes. The id alone decides which; another name is led to the right one. */
export const downloadPage: WebPage = { path: '/files/:id/*', open: (visit) => show(visit) }

/** The name has been left out. */
export const namelessDownloadPage: WebPage = { path: '/files/:id', open: (visit) => show(visit) }

function show(visit: Visit): Promise<Shown> {
  const { context, params } = visit
  return openFilePage(visit, async (file) =>
    params['*'] === file.name ? contentOfFile(context, file) : { leadsTo: downloadUrl(file) },
  )
}
