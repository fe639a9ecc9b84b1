import assert from 'node:assert/strict'
import type { Db } from '../../../src/platform/database/db.ts'
import type { TestClient } from '../../harness/client.ts'
import {
  EVERY_FIELD,
  HIDDEN_TRACKER,
  type MadeTracker,
  makeTestArtifact,
  makeTestTracker,
} from '../../fixtures/every-field.ts'
import { MARA } from '../../fixtures/people.ts'
import { type Edit, PARENT_COUNT, type PlannedLinks, LINK_TARGET_COUNT } from './edits.ts'
import {
  observeArtifact,
  type Observation,
  readStoredRow,
  type StoredRow,
  expectStatus,
  versionTagOf,
} from './observe-artifact.ts'

export interface HistoryWorld {
  readonly api: TestClient
  /** As the owner, who may read everything. */
  readonly db: Db
  /** Advances the test clock. */
  wait(milliseconds: number): void
}

/** The data for edits: a tracker with every field type, and link targets, some of them hidden. */
export interface HistoryFixture extends HistoryWorld {
  readonly tracker: MadeTracker
  readonly targets: readonly number[]
  readonly parents: readonly number[]
}

export async function createHistoryFixture(world: HistoryWorld): Promise<HistoryFixture> {
  const { api } = world
  const tracker = await makeTestTracker(api, EVERY_FIELD)
  const hidden = await makeTestTracker(api, HIDDEN_TRACKER)
  const [targets, parents]: [number[], number[]] = [[], []]
  for (let at = 0; at < LINK_TARGET_COUNT; at++)
    targets.push(await makeTestArtifact(api, at % 2 === 0 ? tracker : hidden, { summary: { value: `Target ${at}` } }))
  for (let at = 0; at < PARENT_COUNT; at++)
    parents.push(await makeTestArtifact(api, tracker, { summary: { value: `Parent ${at}` } }))
  return { ...world, tracker, targets, parents }
}

export interface Played {
  readonly id: number
  /** By version: the observation when it was the last one. */
  readonly moments: ReadonlyMap<number, Observation>
  readonly idle: number
}

/** Creates an artifact, applies the edits, and records an observation after each. */
export async function playEdits(fixture: HistoryFixture, edits: readonly Edit[]): Promise<Played> {
  const { api, db, tracker } = fixture
  const id = await makeTestArtifact(api, tracker, { summary: { value: 'New' } })
  let last = await observeArtifact(api, db, id, MARA)
  assert.equal(last.row.version, 1)
  const moments = new Map([[1, last]])
  let idle = 0
  for (const edit of edits) {
    fixture.wait(edit.pause)
    const others = await Promise.all(fixture.parents.map((parent) => readStoredRow(db, parent)))
    const answer = await expectStatus(api.put(`/artifacts/${id}`, { as: edit.as, body: bodyOf(fixture, edit) }))
    const after = await observeArtifact(api, db, id, MARA)
    assert.equal(versionTagOf(answer), after.tag)
    assert.equal(answer.headers['last-modified'], after.last_modified)
    if (after.row.version === last.row.version) {
      // Without a change there is no trace of the request.
      assert.deepEqual({ ...after, values: [] }, { ...last, values: [] })
      assert.equal(edit.comment, undefined)
      idle++
    } else {
      assert.equal(after.row.version, last.row.version + 1)
      assert.notEqual(after.tag, last.tag)
      moments.set(after.row.version, after)
    }
    await checkParents(fixture, others, edit)
    last = after
  }
  return { id, moments, idle }
}

function bodyOf({ targets, parents }: HistoryFixture, { values, comment }: Edit): object {
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

/** A link from a parent creates a version of the parent only. */
async function checkParents(
  { db, parents }: HistoryFixture,
  before: readonly StoredRow[],
  { values }: Edit,
): Promise<void> {
  const { links } = values
  const asked = links && isPlanned(links) ? links.parent : undefined
  for (const [at, parent] of parents.entries()) {
    const { version } = await readStoredRow(db, parent)
    const rise = version - (before[at]?.version ?? 0)
    assert(at === asked ? rise <= 1 : rise === 0, `Parent ${at} has risen by ${rise} versions.`)
  }
}
