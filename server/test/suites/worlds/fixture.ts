import type { Context } from '../../../src/platform/operation/context.ts'
import type { TestClient } from '../../harness/client.ts'
import type { RepeatableRandom } from '../fuzz/random.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, RITA, TOM, UMA, VICTOR } from '../../fixtures/people.ts'
import type { WorldReceivers } from './receivers.ts'

/** The accounts of every world. Mara administers the left project, Victor the right one, Ada the site. */
export const ACCOUNTS: readonly TestPerson[] = [MARA, TOM, UMA, GUS, OLGA, RITA, VICTOR]

export interface WorldEnvironment {
  readonly api: TestClient
  readonly context: Context
  readonly peers: WorldReceivers
}

/** Two projects with a group each. Links lead from one to the other. */
export interface Site {
  readonly name: string
  readonly left: Side
  readonly right: Side
}

interface Side {
  readonly project: number
  readonly group: number
}

/** A tracker in each project of a site with random rights, and hooks of the left one. */
export interface Block {
  readonly site: Site
  readonly left: number
  readonly right: number
  readonly hooks: readonly HookOfBlock[]
  /** Of the project, the tracker and its fields on the left, and on the right. */
  readonly labels: { readonly own: readonly string[]; readonly foreign: readonly string[] }
}

export interface HookOfBlock {
  readonly id: number
  readonly path: string
  /** A hook of the project reads for an account; one of the tracker may have none. */
  readonly isOfProject: boolean
}

/** Each gets a mail about every write, which takes longer than all other channels together. */
const WATCHERS_PER_BLOCK = 2

export const BLOCK_FIELDS = ['one', 'two', 'three'] as const
const READERS = ['@anonymous', '@registered', '@members', 'crew', '@admins'] as const

/** Lets hooks reach the receiver of this process, and an account be restricted again after it was suspended. */
export async function changeSettings({ api }: WorldEnvironment): Promise<void> {
  await call(api, 'PATCH', '/settings', { webhook_private_targets: ['127.0.0.0/8'], restricted_users: true })
}

export async function createSite({ api }: Pick<WorldEnvironment, 'api'>, name: string): Promise<Site> {
  const side = async (half: string, admin: TestPerson): Promise<Side> => {
    const shortname = `${name}-${half}`
    const body = { shortname, label: `Project cw-project-${shortname}`, is_public: true, template_id: 100 }
    const { id: project } = await call(api, 'POST', '/projects', body, admin)
    const group = { project_id: project, short_name: 'crew' }
    return { project, group: (await call(api, 'POST', '/user_groups', group, admin)).id }
  }
  return { name, left: await side('left', MARA), right: await side('right', VICTOR) }
}

export async function createBlock(
  environment: WorldEnvironment,
  site: Site,
  name: string,
  random: RepeatableRandom,
): Promise<Block> {
  const { api, peers } = environment
  const { left, right } = site
  const rights = () => {
    const readers = random.pick(READERS)
    return { permissions: { read: [readers], submit: ['@admins'], update: ['@admins'] } }
  }
  const labelOf = (side: string, field: string) => `cw-label-${name}-${side}-${field}`
  const open = { permissions: { read: ['@anonymous'], submit: ['@registered'], update: ['@members'] } }
  const definition = (side: string, access: string) => {
    const field = (id: string, type: string, more: object) => ({ name: id, type, label: labelOf(side, id), ...more })
    return {
      label: `Tracker cw-tracker-${name}-${side}`,
      item_name: `w${name}${side}`,
      settings: { private_comments: true },
      permissions: { full: [access], admin: ['crew'] },
      elements: [
        field('summary', 'string', open),
        ...BLOCK_FIELDS.map((id) => field(id, random.pick(['string', 'text']), rights())),
        field('effort', 'int', rights()),
        field('total', 'computed', { ...open, properties: { target_field_name: 'effort' } }),
        field('links', 'art_link', open),
        field('refs', 'cross', {}),
      ],
      semantics: { title: random.pick(['summary', 'one']) },
    }
  }
  const make = async ({ project }: Side, side: string) => {
    const body = definition(side, random.pick(READERS))
    return (await call(api, 'POST', `/projects/${project}/trackers`, body)).id
  }
  const trackers = { left: await make(left, 'l'), right: await make(right, 'r') }
  const hooks: HookOfBlock[] = []
  for (const [at, payload] of ['original', 'event', 'original', 'event'].entries()) {
    const isOfProject = at === 3
    const of = isOfProject ? `/projects/${left.project}` : `/trackers/${trackers.left}`
    const path = `/${name}/${at}`
    const body = { url: peers.hookUrl(path), payload, format: random.pick(['form', 'json']), events: ['artifact.*'] }
    hooks.push({ id: (await call(api, 'POST', `${of}/webhooks`, body, MARA)).id, path, isOfProject })
  }
  for (const as of random.shuffled(ACCOUNTS).slice(0, WATCHERS_PER_BLOCK))
    await api.put(`/trackers/${trackers.left}/watch`, { as, body: { level: 'all' } })
  const labels = (half: string, side: string) => [
    `cw-project-${site.name}-${half}`,
    `cw-tracker-${name}-${side}`,
    ...['summary', ...BLOCK_FIELDS, 'effort', 'total', 'links', 'refs'].map((field) => labelOf(side, field)),
  ]
  return { site, ...trackers, hooks, labels: { own: labels('left', 'l'), foreign: labels('right', 'r') } }
}

/** A hook that is never read again would be looked at in every turn of the worker. */
export async function deleteHooks({ api }: WorldEnvironment, { hooks }: Block): Promise<void> {
  for (const { id } of hooks) {
    const { status, text } = await api.delete(`/webhooks/${id}`, { as: ADA })
    // Deleted already, where this is the second attempt.
    if (status >= 300 && status !== 404) throw new Error(`DELETE /webhooks/${id}: ${status} ${text}`)
  }
}

/** Calls as the site administrator unless `as` is given; throws unless it succeeds. */
export async function call(api: TestClient, method: string, path: string, body: object, as: TestPerson = ADA) {
  const { status, text } = await api.request(method, path, { as, body })
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
