import type { Event } from './api.ts'
import { type Client, toQueryString } from './client.ts'
import { type FollowOptions, followStream } from './event-stream.ts'

export interface FeedFilter {
  /** `artifact.*,svn.commit` */
  readonly types?: string
  readonly project?: number
  readonly tracker?: number
}

/**
 * Events from now on (or after `lastEventId`) that the caller may see. A cursor that the server no longer keeps is
 * thrown as a refusal with the reason `cursor_expired`: read everything again.
 */
export async function* followFeed(client: Client, filter: FeedFilter, following: FollowOptions): AsyncGenerator<Event> {
  for await (const { event, data } of followStream(client, `/events${toQueryString({ ...filter })}`, following))
    if (event !== 'place') yield JSON.parse(data)
}
