import { ApiError } from '../platform/words/errors.ts'
import type { WebPage } from '../platform/http/web-page.ts'

/** Where each parameter of the original's address leads. */
const PLACES = new Map([
  ['aid', '/artifacts'],
  ['tracker', '/trackers'],
])

/** Addresses that people have written down elsewhere lead to ours, which decide who may see what is there. */
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
