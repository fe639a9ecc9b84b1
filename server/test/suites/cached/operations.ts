import type { Response, TestClient } from '../../harness/client.ts'
import { uploadInChunks } from '../../fixtures/attachments.ts'
import { ONE_PIXEL } from '../../fixtures/one-pixel.ts'
import { ADA, GUS, MARA, OLGA, RITA, type TestPerson, TOM, UMA, VICTOR } from '../../fixtures/people.ts'
import { LEADS, ORCHARD, VAULT } from '../../fixtures/seed-ids.ts'
import type { RepeatableRandom } from '../fuzz/random.ts'
import { type CachedScene, RESTRICTING_GROUPS } from './scene.ts'

interface Stage {
  readonly api: TestClient
  readonly scene: CachedScene
  readonly random: RepeatableRandom
}

/** A write that can change the representation of an artifact for some viewers. It may be refused. */
type Operation = (stage: Stage) => Promise<Response>

const NAMED = { leads: [UMA, GUS, TOM, OLGA], members: [MARA, TOM, UMA, OLGA], people: [TOM, UMA, GUS, OLGA] } as const
const COLOURS = ['inca-silver', 'chrome-silver', 'teddy-brown', 'fiesta-red', 'deep-blue'] as const
const ICONS = ['', '🌳', '🍎'] as const

const one = ({ scene, random }: Stage): number => random.pickAny(scene.artifacts) ?? 0
const some = ({ random }: Stage, people: readonly TestPerson[]) => people.filter(() => random.chance(0.5))
const word = ({ random }: Stage) => random.letters(5)
const set = ({ api }: Stage, id: number, body: object, as: TestPerson = ADA) =>
  api.put(`/artifacts/${id}`, { as, body })
/** Not every tracker has every field, and rights may be missing: tries several artifacts. */
async function values(stage: Stage, given: object, as?: TestPerson): Promise<Response> {
  let answer = await set(stage, one(stage), { values_by_field: given }, as)
  for (let attempt = 0; attempt < 3 && answer.status >= 400; attempt++)
    answer = await set(stage, one(stage), { values_by_field: given }, as)
  return answer
}
/** The address of the newest comment, which Ada has written, of one of several artifacts. */
async function findComment(stage: Stage): Promise<string> {
  let path = ''
  for (let attempt = 0; attempt < 3 && path === ''; attempt++) {
    const id = one(stage)
    const { status, json } = await stage.api.get(`/artifacts/${id}/changesets?fields=comments&order=desc`, { as: ADA })
    if (status === 200 && json.length > 0) path = `/artifacts/${id}/changesets/${json[0].id}/comment`
  }
  return path === '' ? '/artifacts/0/changesets/0/comment' : path
}
const replaceUsers = ({ api }: Stage, group: string, people: readonly TestPerson[]) =>
  api.put(`/user_groups/${group}/users`, {
    as: ADA,
    body: { user_references: people.map(({ id }) => ({ id })) },
  })

export const CACHED_OPERATIONS: Readonly<Record<string, Operation>> = {
  title: (stage) => values(stage, { summary: word(stage) }),
  number: (stage) => values(stage, { points: stage.random.integer(0, 99) }),
  'hidden field': (stage) => values(stage, { secret: { value: `art #${one(stage)} ${word(stage)}`, format: 'text' } }),
  reference: (stage) =>
    values(stage, {
      details: {
        value: `${stage.random.pick(['art', 'tree', 'shrub'])} #${one(stage)} art #orchard:${one(stage)}`,
        format: 'text',
      },
    }),
  people: (stage) => values(stage, { assigned_to: [stage.random.pick([TOM, UMA, GUS]).login] }),
  restriction: (stage) =>
    values(stage, {
      seen_by: {
        value: stage.random.chance(0.4)
          ? { is_used_by_default: false }
          : { is_used_by_default: true, granted_groups: [stage.random.pick(RESTRICTING_GROUPS)] },
      },
    }),
  links: (stage) =>
    values(stage, {
      links: {
        links: Array.from({ length: stage.random.integer(0, 4) }, () => ({
          id: one(stage),
          type: stage.random.pick(['_is_child', '']),
        })),
      },
    }),
  'reverse link': (stage) =>
    set(stage, one(stage), {
      values_by_field: { links: { parent: { id: one(stage) } } },
    }),
  comment: (stage) =>
    set(stage, one(stage), {
      comment: {
        body: `art #${one(stage)}`,
        format: 'text',
        ...(stage.random.chance(0.5) && { ugroups: [stage.random.pick(RESTRICTING_GROUPS)] }),
      },
    }),
  'edit of a comment': async (stage) => {
    const path = await findComment(stage)
    return stage.random.chance(0.7)
      ? stage.api.put(path, { as: ADA, body: { body: `art #${one(stage)}` } })
      : stage.api.delete(path, { as: ADA })
  },
  reaction: async (stage) => stage.api.put(`${await findComment(stage)}/reactions/heart`, { as: ADA }),
  file: async (stage) => {
    const id = await uploadInChunks(stage.api, MARA, { name: `${word(stage)}.txt` })
    return values(stage, { papers: { value: [id] } }, MARA)
  },
  create: async (stage) => {
    const tracker = stage.random.pickAny(stage.scene.trackers.slice(0, 4))
    const values_by_field = { summary: word(stage), points: 3, links: { links: [{ id: one(stage), type: '' }] } }
    const made = await stage.api.post('/artifacts', { as: MARA, body: { tracker: { id: tracker }, values_by_field } })
    if (made.status === 201) stage.scene.artifacts.splice(stage.random.integer(0, 10), 1, made.json.id)
    return made
  },
  delete: async (stage) => {
    const id = one(stage)
    const gone = await stage.api.delete(`/artifacts/${id}`, { as: ADA })
    if (gone.status < 300) stage.scene.deleted.push(id)
    return gone
  },
  restore: (stage) => stage.api.post(`/artifacts/${stage.scene.deleted.pop() ?? 0}/restore`, { as: ADA }),
  move: (stage) =>
    stage.api.patch(`/artifacts/${one(stage)}`, {
      as: MARA,
      body: { move: { tracker_id: stage.random.pickAny(stage.scene.movable) } },
    }),
  rank: async (stage) => {
    const path = `/trackers/${stage.random.pickAny(stage.scene.trackers)}`
    const { json } = await stage.api.get(`${path}/artifacts?order_by=rank&limit=3`, { as: ADA })
    const [first = 0, second = 0]: readonly number[] = json.map(({ id }: { id: number }) => id)
    return stage.api.put(`${path}/rank`, { as: ADA, body: { ids: [second], before: first } })
  },
  'names of a tracker': (stage) =>
    stage.api.patch(`/trackers/${stage.random.pickAny(stage.scene.trackers)}`, {
      as: ADA,
      body: stage.random.chance(0.5) ? { label: word(stage) } : { color_name: stage.random.pick(COLOURS) },
    }),
  'item name': (stage) =>
    stage.api.patch(`/trackers/${stage.random.pickAny(stage.scene.trackers)}`, {
      as: ADA,
      body: { item_name: stage.random.pick(['tree', 'shrub', 'root', 'bush']) },
    }),
  'names of a project': (stage) =>
    stage.api.patch(`/projects/${stage.random.pick([ORCHARD, VAULT])}`, {
      as: ADA,
      body: stage.random.chance(0.5) ? { label: `Place ${word(stage)}` } : { icon: stage.random.pick(ICONS) },
    }),
  'access to a project': (stage) =>
    stage.api.patch(`/projects/${stage.random.pick([ORCHARD, VAULT])}`, {
      as: ADA,
      body: { access: stage.random.pick(['public', 'public', 'private']) },
    }),
  'name of a person': (stage) =>
    stage.api.patch(`/users/${stage.random.pick([...NAMED.people]).id}`, {
      as: ADA,
      body: { values: { real_name: `Name ${word(stage)}` } },
    }),
  'picture of a person': (stage) => {
    const as = stage.random.pick([...NAMED.people])
    return stage.random.chance(0.6)
      ? stage.api.put('/users/self/avatar', { as, body: { content: ONE_PIXEL } })
      : stage.api.delete('/users/self/avatar', { as })
  },
  'status of a person': (stage) =>
    stage.api.patch(`/users/${stage.random.pick([OLGA, RITA]).id}`, {
      as: ADA,
      body: { values: { status: stage.random.pick(['A', 'R']) } },
    }),
  'site administrator': (stage) =>
    stage.api.patch(`/users/${VICTOR.id}`, { as: ADA, body: { values: { is_site_admin: stage.random.chance(0.5) } } }),
  'members of a group': (stage) => replaceUsers(stage, String(LEADS), some(stage, NAMED.leads)),
  'members of a project': (stage) => replaceUsers(stage, `${ORCHARD}_3`, [MARA, ...some(stage, NAMED.members)]),
  'administrators of a project': (stage) => replaceUsers(stage, `${ORCHARD}_4`, [MARA, ...some(stage, [TOM])]),
  settings: (stage) =>
    stage.api.patch('/settings', {
      as: ADA,
      body: { time_zone: stage.random.pick(['UTC', 'Europe/Berlin']), restricted_users: stage.random.chance(0.8) },
    }),
  'permissions of a tracker': async (stage) => {
    const path = `/trackers/${stage.random.pickAny(stage.scene.trackers.slice(0, 4))}/definition`
    const { json, headers } = await stage.api.get(path, { as: ADA })
    const full = stage.random.pick([['@anonymous'], ['@members'], ['leads'], ['@admins']])
    return stage.api.put(path, {
      as: ADA,
      headers: { 'if-match': headers.etag ?? '' },
      body: { ...json, permissions: { ...json.permissions, full } },
    })
  },
  'permissions of a field': async (stage) => {
    const path = `/trackers/${stage.random.pickAny(stage.scene.trackers.slice(0, 4))}/definition`
    const { json, headers } = await stage.api.get(path, { as: ADA })
    const read = stage.random.pick([['@anonymous'], ['@members'], ['leads']])
    const changed = (element: { name: string }) =>
      element.name === 'points'
        ? { ...element, permissions: { read, submit: ['@members'], update: ['@members'] } }
        : element
    return stage.api.put(path, {
      as: ADA,
      headers: { 'if-match': headers.etag ?? '' },
      body: { ...json, elements: json.elements.map(changed) },
    })
  },
}
