import type { Client, Response } from './client.ts'
import type { MadeTracker } from './every-field.ts'
import { MARA, type Person } from './people.ts'

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const hidden = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }

/** Artifacts that link to each other. Everybody reads them; members change them. */
export const TREES = {
  label: 'Trees',
  item_name: 'tree',
  settings: { private_comments: true },
  permissions: { full: ['@anonymous'] },
  elements: [
    field('summary', 'string'),
    field('details', 'text'),
    field('secret', 'text', { permissions: hidden }),
    field('status', 'sb', { bind: list('Open', 'Done') }),
    field('points', 'int'),
    field('total', 'computed', { properties: { target_field_name: 'points' } }),
    field('links', 'art_link'),
    field('references', 'cross'),
  ],
  semantics: { title: 'summary', status: { field: 'status', open: ['open'] } },
}

/** The same, for those who administer the project. */
export const ROOTS = { ...TREES, label: 'Roots', item_name: 'root', permissions: { full: ['@admins'] } }

/** Nobody but administrators changes the links of these. */
export const STONES = {
  ...TREES,
  label: 'Stones',
  item_name: 'stone',
  elements: [
    field('summary', 'string'),
    field('links', 'art_link', { permissions: { read: ['@anonymous'], submit: ['@admins'], update: ['@admins'] } }),
  ],
  semantics: { title: 'summary' },
}

interface Link {
  readonly id: number
  readonly type: string
}

/** Makes artifacts and looks at their links. */
export function linking(api: Client, tracker: () => MadeTracker) {
  const by = (person: Person) => (person === MARA ? {} : { as: person })
  const create = (links: object, as: Person = MARA) =>
    api.post('/artifacts', { as, body: { tracker: { id: tracker().id }, values_by_field: { summary: 'Tree', links } } })
  return {
    create,
    /** A tree with these links; resolves with its id. */
    plant: async (links: object = { links: [] }): Promise<number> => {
      const { status, text, json } = await create(links)
      if (status !== 201) throw new Error(`The tree was not planted: ${text}`)
      return json.id
    },
    update: (id: number, links: object, more: { as?: Person; query?: string } = {}) =>
      api.put(`/artifacts/${id}${more.query ?? ''}`, {
        as: MARA,
        ...by(more.as ?? MARA),
        body: { values: [{ field_id: tracker().field('links'), ...links }] },
      }),
    linksOf: async (id: number, as: Person = MARA) => linksIn(await api.get(`/artifacts/${id}`, { as })),
    versionOf: async (id: number): Promise<number> =>
      (await api.get(`/artifacts/${id}/changesets?limit=50`, { as: MARA })).json.length,
  }
}

export function linksIn({ json }: Response): { forward: Link[]; reverse: Link[] } {
  const values: { type: string; links: Link[]; reverse_links: Link[] }[] = json.values
  const found = values.find(({ type }) => type === 'art_link')
  const short = (links: Link[] = []) => links.map(({ id, type }) => ({ id, type }))
  return { forward: short(found?.links), reverse: short(found?.reverse_links) }
}
