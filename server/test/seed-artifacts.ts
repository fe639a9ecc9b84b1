import { sql } from 'kysely'
import type { ArtifactId } from '../src/artifacts/artifact.ts'
import type { Db } from '../src/platform/database/db.ts'
import type { TrackerDefinition } from '../src/trackers/definition/schemas.ts'
import type { TrackerId } from '../src/trackers/tracker.ts'
import { LEDGER_CANARY, VAULT_CANARY } from './canaries.ts'
import { TOM } from './people.ts'
import {
  BUG,
  BUGS,
  GATED,
  GATES,
  LEADS,
  LEDGER,
  LEDGER_SECRET,
  LOST_BUG,
  MARSH_BUGS,
  MARSH_SECRET,
  OPEN_BUG,
  OPEN_GATE,
  ORCHARD,
  SAFE,
  SAFE_SECRET,
} from './places.ts'
import { insertTracker } from './seed-trackers.ts'

const LONG_AGO = new Date('2026-01-01T00:00:00Z')
const [SAFE_TITLE, LEDGER_TITLE, MARSH_TITLE, GATE_TITLE, GATE_PERM] = [7121, 7141, 7181, 7901, 7902]

const GATES_DEFINITION: TrackerDefinition = {
  label: 'Gates',
  item_name: 'gate',
  permissions: { full: ['@anonymous'] },
  elements: [
    { name: 'summary', type: 'string', label: 'Summary' }, // 7901
    { name: 'seen_by', type: 'perm', label: 'Seen by' }, // 7902
    { name: 'links', type: 'art_link', label: 'Links' }, // 7903
    { name: 'title', type: 'string', label: 'Title' }, // 7904
  ],
  semantics: { title: 'summary' },
}

interface Seeded {
  readonly id: ArtifactId
  readonly tracker: TrackerId
  readonly title: number
  readonly text: string
  readonly restricted_to?: readonly number[]
  readonly isDeleted?: true
}

const ARTIFACTS: readonly Seeded[] = [
  { id: OPEN_BUG, tracker: BUGS, title: BUG.summary, text: 'Pump leaks' },
  { id: SAFE_SECRET, tracker: SAFE, title: SAFE_TITLE, text: VAULT_CANARY },
  { id: LEDGER_SECRET, tracker: LEDGER, title: LEDGER_TITLE, text: LEDGER_CANARY },
  { id: LOST_BUG, tracker: BUGS, title: BUG.summary, text: 'Gone', isDeleted: true },
  { id: MARSH_SECRET, tracker: MARSH_BUGS, title: MARSH_TITLE, text: 'Mud' },
  { id: GATED, tracker: GATES, title: GATE_TITLE, text: LEDGER_CANARY, restricted_to: [LEADS] },
  { id: OPEN_GATE, tracker: GATES, title: GATE_TITLE, text: 'Open gate' },
]

/** Artifacts of the trackers of the small world, for tests that need one wherever something may be hidden. */
export async function seedArtifacts(db: Db): Promise<void> {
  await insertTracker(db, { id: GATES, project_id: ORCHARD, at: 40, deleted_on: null }, GATES_DEFINITION, LONG_AGO)
  for (const artifact of ARTIFACTS) await insertArtifact(db, artifact)
}

/** With all that a write through the API would have left: history, event, index and count. */
async function insertArtifact(db: Db, artifact: Seeded): Promise<void> {
  const { id, tracker, title, text, restricted_to = null, isDeleted = false } = artifact
  const values = { [title]: text, ...(restricted_to && { [GATE_PERM]: restricted_to }) }
  await sql`
    with counted as (
      update tracker_counter set last_number = last_number + 1, artifacts = artifacts + ${isDeleted ? 0 : 1}
      where tracker_id = ${tracker} returning project_id, last_number
    ), made as (
      insert into artifact (id, project_id, tracker_id, number, field_values, restricted_to, submitted_by, submitted_on,
        last_update_by, last_modified_date, last_modified, deleted_by, deleted_on)
      select ${id}::bigint, project_id, ${tracker}::bigint, last_number, ${JSON.stringify(values)}::jsonb,
        ${restricted_to}::bigint[], ${TOM.id}::bigint, ${LONG_AGO}::timestamptz, ${TOM.id}::bigint,
        ${LONG_AGO}::timestamptz, ${LONG_AGO}::timestamptz, ${isDeleted ? TOM.id : null}::bigint,
        ${isDeleted ? LONG_AGO : null}::timestamptz
      from counted returning *
    ), told as (
      insert into event (type, object, project_id, actor_id, payload, "on")
      select 'artifact.created', 'artifacts/' || id, project_id, submitted_by,
        jsonb_build_object('version', 1, 'tracker_id', tracker_id, 'changed', '[]'::jsonb, 'has_comment', false), submitted_on
      from made
    ), worded as (
      insert into artifact_words (artifact_id, project_id, words)
      select id, project_id, words_of(field_values, ${[title]}::bigint[]) from made
    )
    insert into changeset (id, project_id, artifact_id, tracker_id, version, submitted_by, submitted_on, last_modified,
      changes)
    select ${firstVersionOf(id)}::bigint, project_id, id, tracker_id, 1, submitted_by, submitted_on, last_modified,
      field_values
    from made`.execute(db)
}

export function firstVersionOf(id: number): number {
  return id + 2000
}
