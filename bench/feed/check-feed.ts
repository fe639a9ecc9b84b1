import { Client } from 'pg'
import type { ArrivedEvent } from './follow-feed.ts'

/** Faults of the feed; all of them have to be 0. */
export interface FeedFaults {
  /** Committed events without a position, positions without an event, and events that a follower has not received. */
  readonly skipped: number
  readonly repeated: number
  /** Versions of one artifact in another order than their positions. */
  readonly swapped: number
}

export interface SequencedEvent {
  readonly position: number
  readonly id: number
  readonly version: number
}

/** All events of artifacts after a position, and the number of events without one. */
export async function readSequenced(
  url: string,
  after: number,
): Promise<{ events: SequencedEvent[]; unsequenced: number; gaps: number }> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: events } = await client.query<SequencedEvent>(
      `select event_position.position::integer, split_part(event.object, '/', 2)::integer as id,
         (event.payload ->> 'version')::integer as version
       from event_position join event on event.id = event_position.event_id
       where event_position.position > $1 and event.type like 'artifact.%' order by event_position.position`,
      [after],
    )
    const { rows } = await client.query<{ unsequenced: number; gaps: number }>(
      `select (select count(*)::integer from event left join event_position on event_position.event_id = event.id
           where event_position.position is null) as unsequenced,
         (select coalesce(max(position) - $1 - count(*), 0)::integer from event_position where position > $1) as gaps`,
      [after],
    )
    const [{ unsequenced, gaps } = { unsequenced: Number.NaN, gaps: Number.NaN }] = rows
    return { events, unsequenced, gaps }
  } finally {
    await client.end()
  }
}

/** Compares what the followers received with the stored positions. */
export function findFeedFaults(
  stored: { readonly events: readonly SequencedEvent[]; readonly unsequenced: number; readonly gaps: number },
  followers: readonly (readonly Pick<ArrivedEvent, 'position'>[])[],
): FeedFaults {
  const wanted = stored.events.map(({ position }) => position)
  let [skipped, repeated] = [stored.unsequenced + stored.gaps, 0]
  for (const arrived of followers) {
    const positions = new Set(arrived.map(({ position }) => position))
    skipped += wanted.filter((position) => !positions.has(position)).length
    repeated += arrived.length - positions.size
  }
  const artifacts = Map.groupBy(stored.events, ({ id }) => id)
  const swapped = [...artifacts.values()].reduce((sum, events) => sum + countSwapped(events), 0)
  return { skipped, repeated, swapped }
}

function countSwapped(events: readonly SequencedEvent[]): number {
  return events.filter(({ version }, at) => at > 0 && version !== (events[at - 1]?.version ?? 0) + 1).length
}
