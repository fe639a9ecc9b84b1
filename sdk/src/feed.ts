import type { Event } from './api.ts'
import { type Client, queryOf } from './client.ts'
import { type Following, follow } from './event-stream.ts'

export interface FeedFilter {
  /** `artifact.*,svn.commit` */
  readonly types?: string
  readonly project?: number
  readonly tracker?: number
}

/**
 * What happens from now on (or behind `lastEventId`), as far as the caller may see it. A place that the server no longer
 * keeps is thrown as a refusal with the reason `cursor_expired`: read everything anew.
 */
export async function* followFeed(client: Client, filter: FeedFilter, following: Following): AsyncGenerator<Event> {
  for await (const { event, data } of follow(client, `/events${queryOf({ ...filter })}`, following))
    if (event !== 'place') yield JSON.parse(data)
}
