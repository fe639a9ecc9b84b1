import type { TrackerField } from '@waypost/sdk/api'
import { type ArtifactLayout, layOutArtifact } from '../artifacts/artifact-layout.ts'
import { findKeyField, PICKER_KEYS } from '../artifacts/key-fields.ts'
import { fieldType } from '../field-types/field-types.ts'

/** The others are on the page of the artifact. */
const MAX_FACTS = 8

interface PeekLayout extends Pick<ArtifactLayout, 'title' | 'description'> {
  /** Status, assignee, priority and due date, then other values in the order of the tracker. */
  readonly facts: readonly TrackerField[]
}

/** The parts of an artifact that stand beside a list. */
export function layOutPeek(
  open: Parameters<typeof layOutArtifact>[0],
  isEdited: (field: TrackerField) => boolean,
): PeekLayout {
  const { title, description, groups } = layOutArtifact(open, isEdited)
  const set = groups.flatMap(({ fields }) => fields).filter((field) => fieldType(field).kind === 'field')
  const keys = PICKER_KEYS.flatMap((key) => findKeyField(open.tracker, key) ?? [])
  const first = keys.filter((field) => set.includes(field))
  const facts = [...first, ...set.filter((field) => !first.includes(field))]
  return { title, description, facts: facts.filter((field, at) => at < MAX_FACTS || isEdited(field)) }
}
