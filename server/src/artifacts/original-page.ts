import { ApiError } from '../platform/messages/errors.ts'
import type { WebPage } from '../platform/http/web-page.ts'

/** The path that replaces each query parameter of the original system. */
const PLACES = new Map([
  ['aid', '/artifacts'],
  ['tracker', '/trackers'],
])

/** Redirects legacy addresses to ours; the target page checks permissions. */
export const originalPage: WebPage = {
  path: '/plugins/tracker/',
  async open({ query }) {
    for (const [name, place] of PLACES) {
      const id = query.get(name)
      if (id !== undefined && /^[1-9]\d{0,15}$/.test(id)) return { leadsTo: `${place}/${id}` }
    }
    throw new ApiError('route_not_found')
  },
}
