import { sql } from 'kysely'
import type { Db } from '../../../src/platform/database/db.ts'
import type { RequestOptions, Response, TestClient } from '../../harness/client.ts'
import { type MadeTracker, makeTestTracker } from '../../fixtures/every-field.ts'
import { TOM } from '../../fixtures/people.ts'

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })

/** Everybody reads and writes it; Mara administers it. */
const VALVES = {
  format: 'waypost-tracker/1',
  label: 'Valves',
  item_name: 'valve',
  permissions: { full: ['@anonymous'] },
  elements: [
    field('summary', 'string'),
    field('status', 'sb', { bind: { type: 'static', values: [{ label: 'Open' }, { label: 'Closed' }] } }),
    field('fruits', 'cb', { bind: { type: 'static', values: [{ label: 'Apple' }, { label: 'Plum' }] } }),
    field('links', 'art_link'),
    field('attachment', 'file'),
  ],
  semantics: { title: 'summary', status: { field: 'status', open: ['open'] } },
}

export interface Valves {
  readonly tracker: MadeTracker
  /** The write payload: a text, a value of a list and links. */
  payload(summary: string, links?: readonly { id: number; type: string }[]): object
  create(summary: string, as?: RequestOptions): Promise<Response>
  /** Creates a valve; resolves with its id. */
  make(summary: string): Promise<number>
}

/** The tracker on which the rules of the contract are tried, and the link type `custom`. */
export async function makeValves(api: TestClient, db: Db): Promise<Valves> {
  await sql`insert into link_type (shortname, forward_label, reverse_label) values ('custom', 'Custom', 'Custom of')
    on conflict do nothing`.execute(db)
  const tracker = await makeTestTracker(api, VALVES)
  const payload: Valves['payload'] = (summary, links) => ({
    tracker: { id: tracker.id },
    values: [
      { field_id: tracker.field('summary'), value: summary },
      { field_id: tracker.field('status'), bind_value_ids: [tracker.value('status', 'Open')] },
      ...(links ? [{ field_id: tracker.field('links'), links }] : []),
    ],
  })
  const create: Valves['create'] = (summary, options = { as: TOM }) =>
    api.post('/artifacts', { body: payload(summary), ...options })
  return {
    tracker,
    payload,
    create,
    async make(summary) {
      const { status, json, text } = await create(summary)
      if (status !== 201) throw new Error(text)
      return json.id
    },
  }
}
