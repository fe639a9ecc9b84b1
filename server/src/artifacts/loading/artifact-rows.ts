import type { CopyValue } from '../../platform/database/copy.ts'
import { RANK_STEP } from '../rank/place-artifacts.ts'
import { toId } from '../../platform/database/ids.ts'
import type { ReferenceKind } from '../../projects/references/reference-kind.ts'
import { KEY_KEYWORD } from '../../projects/references/source-keys.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import { deriveRows } from '../update-artifact/derived-rows.ts'
import { findTextReferences, type TextReference } from '../update-artifact/text-references.ts'

/** A version of an artifact: its author, its time, and what it changed. Values are in stored form, by the id of their field. */
export interface LoadedVersion {
  readonly by: number
  readonly on: Date
  readonly changes: Readonly<Record<string, unknown>>
  readonly comment: string | null
}

/** An artifact with its history; the replay of the versions gives the values. */
export interface LoadedArtifact {
  readonly values: Readonly<Record<string, unknown>>
  readonly versions: readonly LoadedVersion[]
}

/** The tracker that artifacts are loaded into. */
export interface LoadTarget {
  readonly tracker: LoadedTracker
  readonly referenceKinds: readonly ReferenceKind[]
}

export const COLUMNS = {
  artifact: [
    'id',
    'project_id',
    'tracker_id',
    'number',
    'rank',
    'version',
    'field_values',
    'people',
    'restricted_to',
    'submitted_by',
    'submitted_on',
    'last_update_by',
    'last_modified_date',
    'last_modified',
  ],
  changeset: [
    'id',
    'project_id',
    'artifact_id',
    'tracker_id',
    'version',
    'submitted_by',
    'submitted_on',
    'last_modified',
    'changes',
    'comment',
    'comment_format',
  ],
  value_index: ['project_id', 'field_id', 'value', 'artifact_id'],
  number_index: ['project_id', 'field_id', 'value', 'artifact_id'],
  artifact_link: ['project_id', 'source_id', 'target_id', 'type'],
  artifact_reference: [
    'project_id',
    'artifact_id',
    'field_id',
    'changeset_id',
    'ref',
    'keyword',
    'value',
    'of_project',
    'target_id',
  ],
  artifact_words: ['artifact_id', 'project_id', 'words'],
} as const

type TableName = keyof typeof COLUMNS
type Rows = Readonly<Record<TableName, CopyValue[][]>>

export const TABLES: readonly TableName[] = [
  'artifact',
  'changeset',
  'value_index',
  'number_index',
  'artifact_link',
  'artifact_reference',
  'artifact_words',
]

export function noRows(): Rows {
  return {
    artifact: [],
    changeset: [],
    value_index: [],
    number_index: [],
    artifact_link: [],
    artifact_reference: [],
    artifact_words: [],
  }
}

/** All rows of one artifact, as the server would have written them. Its number in the tracker is its id. */
export function addArtifact(
  rows: Rows,
  id: number,
  made: LoadedArtifact,
  world: LoadTarget,
  /** The id of its first changeset. */
  changesetId: number,
): void {
  const { project_id: project, id: tracker } = world.tracker
  const changes = new Map(Object.entries(made.values).map(([field, value]) => [toId<FieldId>(Number(field)), value]))
  const derived = deriveRows(world, {}, changes)
  const [first, last] = [made.versions[0], made.versions.at(-1)]
  if (!first || !last) throw new Error('An artifact without a version.')
  rows.artifact.push([
    id,
    project,
    tracker,
    id,
    id * RANK_STEP,
    made.versions.length,
    JSON.stringify(made.values),
    derived.people.map(String),
    derived.restricted_to?.map(String) ?? null,
    first.by,
    first.on,
    last.by,
    last.on,
    last.on,
  ])
  for (const { field, value } of derived.ids.added) rows.value_index.push([project, field, value, id])
  for (const { field, value } of derived.numbers.added) rows.number_index.push([project, field, value, id])
  for (const { target, type } of derived.links.added) rows.artifact_link.push([project, id, target, type])
  rows.artifact_words.push([id, project, wordsIn(derived.worded, made)])
  const refer = (changeset: number, { field, ref, keyword, value, of_project, target }: TextReference) => {
    if (keyword === KEY_KEYWORD) return // Loaded data have no imported artifacts.
    rows.artifact_reference.push([project, id, field, changeset, ref, keyword, value, of_project, target])
  }
  for (const each of derived.references.added) refer(0, each)
  for (const [index, version] of made.versions.entries()) {
    const { comment } = version
    const changeset = changesetId + index
    rows.changeset.push([
      changeset,
      project,
      id,
      tracker,
      index + 1,
      version.by,
      version.on,
      version.on,
      JSON.stringify(version.changes),
      comment,
      comment === null ? null : 'commonmark',
    ])
    const referred = comment === null ? [] : findTextReferences(world, 0, { format: 'commonmark', content: comment })
    for (const each of referred) refer(changeset, each)
  }
}

/**
 * Computes `words_of` for generated texts, which have no accents. In the database it takes longer than all other
 * loading.
 */
function wordsIn(fields: readonly FieldId[], { values }: LoadedArtifact): string {
  return fields
    .toSorted((one, other) => one - other)
    .flatMap((field) => textIn(values[String(field)]) ?? [])
    .join('\n')
    .toLowerCase()
}

function textIn(stored: unknown): string | undefined {
  if (typeof stored === 'string') return stored
  return typeof stored === 'object' && stored !== null && 'content' in stored ? String(stored.content) : undefined
}
