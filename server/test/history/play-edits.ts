import assert from 'node:assert/strict'
import type { Db } from '../../src/platform/database/db.ts'
import type { Client } from '../client.ts'
import { EVERY_FIELD, HIDDEN, type MadeTracker, makeArtifact, makeTracker } from '../every-field.ts'
import { MARA } from '../people.ts'
import { type Edit, PARENTS, type PlannedLinks, TARGETS } from './edits.ts'
import { look, type Moment, readRow, type Row, succeed, tagOf } from './look.ts'

export interface HistoryWorld {
  readonly api: Client
  /** As the owner, who may read everything. */
  readonly db: Db
  /** Lets time pass, where the clock stands. */
  wait(milliseconds: number): void
}

/** What edits are played on: a tracker with every type of field, and artifacts to link to, some of them hidden. */
export interface Stage extends HistoryWorld {
  readonly tracker: MadeTracker
  readonly targets: readonly number[]
  readonly parents: readonly number[]
}

export async function setStage(world: HistoryWorld): Promise<Stage> {
  const { api } = world
  const tracker = await makeTracker(api, EVERY_FIELD)
  const hidden = await makeTracker(api, HIDDEN)
  const [targets, parents]: [number[], number[]] = [[], []]
  for (let at = 0; at < TARGETS; at++)
    targets.push(await makeArtifact(api, at % 2 === 0 ? tracker : hidden, { summary: { value: `Target ${at}` } }))
  for (let at = 0; at < PARENTS; at++)
    parents.push(await makeArtifact(api, tracker, { summary: { value: `Parent ${at}` } }))
  return { ...world, tracker, targets, parents }
}

export interface Played {
  readonly id: number
  /** By version: what was seen when it was the last one. */
  readonly moments: ReadonlyMap<number, Moment>
  readonly idle: number
}

/** Makes an artifact, plays the edits on it, and notes what was seen after each. */
export async function playEdits(stage: Stage, edits: readonly Edit[]): Promise<Played> {
  const { api, db, tracker } = stage
  const id = await makeArtifact(api, tracker, { summary: { value: 'New' } })
  let last = await look(api, db, id, MARA)
  assert.equal(last.row.version, 1)
  const moments = new Map([[1, last]])
  let idle = 0
  for (const edit of edits) {
    stage.wait(edit.pause)
    const others = await Promise.all(stage.parents.map((parent) => readRow(db, parent)))
    const answer = await succeed(api.put(`/artifacts/${id}`, { as: edit.as, body: bodyOf(stage, edit) }))
    const after = await look(api, db, id, MARA)
    assert.equal(tagOf(answer), after.tag)
    assert.equal(answer.headers['last-modified'], after.last_modified)
    if (after.row.version === last.row.version) {
      // Nothing was changed: nothing shows that anybody asked.
      assert.deepEqual({ ...after, values: [] }, { ...last, values: [] })
      assert.equal(edit.comment, undefined)
      idle++
    } else {
      assert.equal(after.row.version, last.row.version + 1)
      assert.notEqual(after.tag, last.tag)
      moments.set(after.row.version, after)
    }
    await checkParents(stage, others, edit)
    last = after
  }
  return { id, moments, idle }
}

function bodyOf({ targets, parents }: Stage, { values, comment }: Edit): object {
  const named = Object.entries(values).map(([name, item]) => {
    if (!isPlanned(item)) return [name, item]
    const links = item.planned.map(({ target, type }) => ({ id: targets[target], type }))
    return [name, { links, ...(item.parent !== undefined && { parent: { id: parents[item.parent] } }) }]
  })
  return { values_by_field: Object.fromEntries(named), ...(comment && { comment }) }
}

function isPlanned(item: object): item is PlannedLinks {
  return 'planned' in item
}

/** A link from a parent is a version of the parent, and of nothing else. */
async function checkParents({ db, parents }: Stage, before: readonly Row[], { values }: Edit): Promise<void> {
  const { links } = values
  const asked = links && isPlanned(links) ? links.parent : undefined
  for (const [at, parent] of parents.entries()) {
    const { version } = await readRow(db, parent)
    const rise = version - (before[at]?.version ?? 0)
    assert(at === asked ? rise <= 1 : rise === 0, `Parent ${at} has risen by ${rise} versions.`)
  }
}
