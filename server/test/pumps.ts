import type { Client, Response } from './client.ts'
import { FIELD_CANARIES } from './canaries.ts'
import { type MadeTracker, makeTracker } from './every-field.ts'
import { MARA, type Person } from './people.ts'

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const rights = (read: string, submit = read, update = read) => ({
  permissions: { read: [read], submit: [submit], update: [update] },
})
const open = rights('@registered', '@registered', '@registered')
const people = { bind: { type: 'users', sources: ['@registered'] } }

/** A tracker of Orchard that everybody signed in sees: who is told of what happens there is what matters. */
const PUMPS = {
  label: 'Pumps',
  item_name: 'pump',
  permissions: { full: ['@registered'] },
  elements: [
    field('summary', 'string', open),
    field('details', 'text', open),
    field('status', 'sb', { ...open, bind: { type: 'static', values: [{ label: 'Open' }, { label: 'Closed' }] } }),
    field('assigned_to', 'msb', { ...open, ...people }),
    field('fans', 'msb', { ...open, ...people, notifications: true }),
    field('for_leads', 'string', { ...rights('leads'), label: FIELD_CANARIES.leads.label }),
    field('fans_of_admins', 'msb', { ...rights('@admins'), ...people, notifications: true }),
    field('links', 'art_link', open),
  ],
  semantics: { title: 'summary', contributor: 'assigned_to', status: { field: 'status', open: ['open'] } },
}

export interface Pumps {
  readonly tracker: MadeTracker
  /** Makes one; answers its id. */
  create(as: Person, values?: object, comment?: object): Promise<number>
  change(as: Person, id: number, values?: object, comment?: object): Promise<Response>
}

export async function makePumps(api: Client, settings: object = {}): Promise<Pumps> {
  const definition = { ...PUMPS, settings: { private_comments: true, ...settings } }
  const tracker = await makeTracker(api, definition)
  return {
    tracker,
    async create(as, values_by_field = {}, comment) {
      const body = {
        tracker: { id: tracker.id },
        values_by_field: { summary: 'Pump leaks', ...values_by_field },
        ...(comment && { comment }),
      }
      return succeeded(await api.post('/artifacts', { as, body }), 201).json.id
    },
    async change(as, id, values_by_field = {}, comment) {
      const body = { values_by_field, ...(comment && { comment }) }
      return succeeded(await api.put(`/artifacts/${id}`, { as, body }), 200)
    },
  }
}

/** Takes everybody's rights on pumps away but those of the people who administer Orchard. */
export async function hidePumps(api: Client, { tracker }: Pumps): Promise<void> {
  const path = `/trackers/${tracker.id}/definition`
  const { json } = await api.get(path, { as: MARA })
  const body = { ...json, permissions: { ...json.permissions, full: ['@admins'] } }
  succeeded(await api.put(path, { as: MARA, body }), 200)
}

function succeeded(answer: Response, status: number): Response {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text}`)
  return answer
}
