import { ApiError } from '../../platform/words/errors.ts'
import type { WebPage } from '../../platform/http/web-page.ts'

/** Addresses that people have written down elsewhere lead to ours, which decide who may read what is there. */
export const originalAttachmentPage: WebPage = {
  path: '/plugins/tracker/attachments/*',
  async open({ params: { '*': rest = '' } }) {
    const [, isPreview, id, name = ''] = /^(preview\/)?(\d{1,16})(?:-([^]*))?$/.exec(rest) ?? []
    if (id === undefined) throw new ApiError('route_not_found')
    return { leadsTo: `/files/${id}/${isPreview ? 'preview' : encodeURIComponent(name)}` }
  },
}
