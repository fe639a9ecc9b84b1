import { ApiError } from '../../platform/messages/errors.ts'
import type { WebPage } from '../../platform/http/web-page.ts'

/** Redirects legacy addresses to ours; the target page checks permissions. */
export const originalAttachmentPage: WebPage = {
  path: '/plugins/tracker/attachments/*',
  async open({ params: { '*': rest = '' } }) {
    const [, isPreview, id, name = ''] = /^(preview\/)?(\d{1,16})(?:-([^]*))?$/.exec(rest) ?? []
    if (id === undefined) throw new ApiError('route_not_found')
    return { leadsTo: `/files/${id}/${isPreview ? 'preview' : encodeURIComponent(name)}` }
  },
}
