import { sql } from 'kysely'
import type { ArtifactId } from '../../../src/artifacts/artifact.ts'
import { toId } from '../../../src/platform/database/ids.ts'
import type { Context } from '../../../src/platform/operation/context.ts'
import { ADA } from '../../fixtures/people.ts'
import type { TestClient } from '../../harness/client.ts'
import { createRepeatableRandom, type RepeatableRandom } from '../fuzz/random.ts'
import { drawRights } from '../worlds/draw.ts'
import { ACCOUNTS, call, createSite, type Site } from '../worlds/fixture.ts'
import { compareLooks, createLookFigures, findViewers, type LookFigures } from './compare-looks.ts'

/** Random rights in two projects, seen through both ways to look up an artifact. */
export interface RightsRun {
  readonly seed: string
  readonly worlds: number
  /** Worlds that share projects, trackers and artifacts: rights change from one to the next. */
  readonly worldsPerSite?: number
  readonly report?: (worlds: number, figures: LookFigures) => unknown
}

interface Stage {
  readonly site: Site
  readonly trackers: readonly number[]
  readonly artifacts: readonly ArtifactId[]
  /** Projects that were suspended or archived in the world before, and take no other change until they are active. */
  readonly inactive: Set<number>
}

interface Environment {
  readonly api: TestClient
  readonly context: Context
}

const GROUPS = ['@anonymous', '@registered', '@members', 'crew', '@admins'] as const
const GROUPS_WITH_MEMBERS = ['@members', 'crew'] as const
const RESTRICTED_TO = ['project_members', 'project_admins', 'crew'] as const
const ARTIFACT_COUNT = 7
const VIEWERS_PER_WORLD = 5
const ARTIFACTS_PER_WORLD = 4

export async function compareWorlds(environment: Environment, run: RightsRun): Promise<LookFigures> {
  const { seed, worlds, worldsPerSite = 50, report } = run
  const figures = createLookFigures()
  let stage: Stage | undefined
  for (let world = 0; world < worlds; world++) {
    const random = createRepeatableRandom(`${seed} ${world}`)
    if (!stage || world % worldsPerSite === 0) stage = await createStage(environment, `r${seed}-${world}`, random)
    const change = await changeWorld(environment, stage, random)
    const { left, right } = stage.site
    const all = await findViewers(environment.context, [...ACCOUNTS, ADA], [left.project, right.project])
    const viewers = random.shuffled(all).slice(0, VIEWERS_PER_WORLD)
    const ids = random.shuffled(stage.artifacts).slice(0, ARTIFACTS_PER_WORLD)
    await compareLooks(environment.context, viewers, ids, figures, `world ${world} after ${change}`)
    report?.(world + 1, figures)
  }
  return figures
}

async function createStage(environment: Environment, name: string, random: RepeatableRandom): Promise<Stage> {
  const { api } = environment
  const site = await createSite(environment, name)
  const trackers: number[] = []
  for (const [at, { project }] of [site.left, site.left, site.right, site.right].entries()) {
    const made = await call(api, 'POST', `/projects/${project}/trackers`, definition(`${name}-${at}`, at, random))
    trackers.push(made.id)
  }
  const artifacts: ArtifactId[] = []
  for (let at = 0; at < ARTIFACT_COUNT; at++) {
    const before = random.shuffled(artifacts).slice(0, 3)
    const text = before.map((id) => random.pick([`art #${id}`, `see art #${id} and art #1`])).join(', ')
    const values_by_field = {
      summary: `Item ${at}: ${text}`,
      effort: at,
      links: { links: before.map((id) => ({ id, type: random.pick(['', '_is_child', '']) })) },
      ...drawRestriction(random),
    }
    const tracker = { id: trackers[at % trackers.length] }
    const made = await api.post('/artifacts', { as: ADA, body: { tracker, values_by_field } })
    // Two parents are refused: once more without children.
    const id = made.status === 201 ? made.json.id : await createPlain(api, tracker, values_by_field, before)
    artifacts.push(toId<ArtifactId>(id))
  }
  return { site, trackers, artifacts, inactive: new Set() }
}

async function createPlain(api: TestClient, tracker: object, values: object, before: readonly number[]) {
  const links = { links: before.map((id) => ({ id, type: '' })) }
  return (await call(api, 'POST', '/artifacts', { tracker, values_by_field: { ...values, links } })).id
}

function drawRestriction(random: RepeatableRandom): object {
  if (!random.chance(0.5)) return {}
  const granted_groups = random.shuffled(RESTRICTED_TO).slice(0, random.integer(1, 2))
  return { seen_by: { value: { granted_groups, is_used_by_default: true } } }
}

/** Mostly rights that memory can decide, and some that depend on single artifacts. */
function drawGrants(random: RepeatableRandom): object {
  const some = <Group>(groups: readonly Group[]) => random.shuffled(groups).slice(0, random.integer(1, 2))
  const kinds = random.chance(0.8) ? ['full'] : ['submitted_by_user', 'submitted_by_group', 'assigned_to_group']
  const drawn = kinds.filter(() => random.chance(0.85))
  const grants = drawn.map((kind) => [kind, some(kind === 'full' ? GROUPS : GROUPS_WITH_MEMBERS)])
  return { ...Object.fromEntries(grants), ...(random.chance(0.3) && { admin: [random.pick(GROUPS_WITH_MEMBERS)] }) }
}

function definition(name: string, at: number, random: RepeatableRandom): object {
  const open = { permissions: { read: ['@anonymous'], submit: ['@registered'], update: ['@members'] } }
  const field = (id: string, type: string, more: object = open) => ({ name: id, type, label: id, ...more })
  return {
    label: `Tracker ${name}`,
    item_name: `t${name.replaceAll(/\W/g, '')}_${at}`,
    permissions: drawGrants(random),
    elements: [
      field('summary', 'string'),
      field('effort', 'int'),
      field('total', 'computed', { ...open, properties: { target_field_name: 'effort' } }),
      field('owners', 'msb', { ...open, bind: { type: 'users', sources: ['@members'] } }),
      field('seen_by', 'perm'),
      field('links', 'art_link'),
      field('refs', 'cross', {}),
    ],
    semantics: { title: 'summary', contributor: 'owners' },
  }
}

/** One change of rights, or of an artifact, by the routes that people use. */
async function changeWorld(environment: Environment, stage: Stage, random: RepeatableRandom): Promise<string> {
  const { api } = environment
  const { site, trackers, artifacts } = stage
  const tracker = random.pickAny(trackers) ?? 0
  const artifact = random.pickAny(artifacts) ?? 0
  const { project } = random.pick([site.left, site.right])
  const changes = {
    async members() {
      await bindGroup(environment, site, null) // The members of a bound group cannot be set.
      await drawRights(environment, site, random)
    },
    async grants() {
      const path = `/trackers/${tracker}/definition`
      const { json } = await api.get(path, { as: ADA })
      const all: { name: string }[] = [...json.elements, ...(json.unused_elements ?? [])]
      const unused_elements = random.chance(0.3) ? all.filter(({ name }) => name === 'seen_by') : []
      const elements = all.filter((each) => !unused_elements.includes(each))
      await call(api, 'PUT', path, { ...json, elements, unused_elements, permissions: drawGrants(random) })
    },
    async status() {
      await call(api, 'PATCH', `/projects/${project}`, { status: random.pick(['suspended', 'archived']) })
      stage.inactive.add(project)
    },
    restriction: () =>
      api.put(`/artifacts/${artifact}`, { as: ADA, body: { values_by_field: drawRestriction(random) } }),
    trash: () => api.delete(`/artifacts/${artifact}`, { as: ADA }),
    restore: () => api.post(`/artifacts/${artifact}/restore`, { as: ADA }),
    account: () =>
      api.patch(`/users/${random.pickAny(ACCOUNTS)?.id}`, { as: ADA, body: { status: random.pick(['A', 'R', 'A']) } }),
    binding: () => bindGroup(environment, site, random.chance(0.5) ? site.left.group : null),
  }
  for (const id of stage.inactive) await call(api, 'PATCH', `/projects/${id}`, { status: 'active' })
  stage.inactive.clear()
  const name = random.pickAny(Object.keys(changes)) ?? ''
  await Object.entries(changes).find(([each]) => each === name)?.[1]()
  return name
}

/** No route binds a group to another one. */
async function bindGroup({ context }: Environment, { right }: Site, source: number | null): Promise<void> {
  await sql`
    with bound as (update user_group set bound_to = ${source} where id = ${right.group} returning project_id)
    update project set rights_epoch = rights_epoch + 1 from bound where project.id = bound.project_id`.execute(
    context.db,
  )
}
