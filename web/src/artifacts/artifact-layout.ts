import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { opensEditor, mayUpdate } from '../field-types/drafts.ts'
import { fieldType, isEmptyValue } from '../field-types/field-types.ts'
import { fieldValue, type WithValues } from './artifact-queries.ts'
import { type FieldNode, fieldTree, groupByFieldset, pruneNodes } from './field-tree.ts'
import { findKeyField, PICKER_KEYS } from './key-fields.ts'

/** Where the fields of an artifact stand on its page. */
export interface ArtifactLayout {
  readonly title: TrackerField | undefined
  /** Undefined: there is none to read or to write. */
  readonly description: TrackerField | undefined
  /** Other texts, notes, links and files, in the order of the tracker. */
  readonly wide: readonly TrackerField[]
  readonly groups: readonly PropertyGroup[]
  /** Empty fields that the viewer may fill in. */
  readonly unset: readonly TrackerField[]
}

export interface PropertyGroup {
  /** The label of the fieldset; undefined: its properties need no heading. */
  readonly heading: string | undefined
  readonly fields: readonly TrackerField[]
}

/** Empty fields are left out, unless they are edited, required, or have a key that opens their picker. */
export function layOutArtifact(
  { tracker, artifact }: { readonly tracker: Tracker; readonly artifact: WithValues },
  isEdited: (field: TrackerField) => boolean,
): ArtifactLayout {
  const { title, description } = tracker.semantics
  const byId = (id: number | undefined) => tracker.fields.find(({ field_id }) => field_id === id)
  const nodes = pruneNodes(
    fieldTree(tracker),
    (field) => field.field_id !== title?.field_id && fieldType(field).isShownByPage === undefined,
  )
  const groups = groupByFieldset(nodes).map(({ heading, nodes: inside }) => ({
    heading: heading?.label,
    fields: inside.flatMap(leavesOf),
  }))
  const keyFields = PICKER_KEYS.map((key) => findKeyField(tracker, key)?.field_id)
  const isUnset = (field: TrackerField) => isEmptyValue(fieldValue(artifact, field.field_id)) && !isEdited(field)
  const isShown = (field: TrackerField) => {
    const { kind, isWide, editing } = fieldType(field)
    if (kind === 'static' || !isUnset(field)) return true
    if (isWide) return editing?.isEditedInPlace === true && mayUpdate(field)
    return field.required || keyFields.includes(field.field_id)
  }
  const all = groups.flatMap(({ fields }) => fields)
  const described = all.find(({ field_id }) => field_id === description?.field_id)
  const others = all.filter((field) => field !== described)
  const properties = groups
    .map(({ heading, fields }) => ({
      heading,
      fields: fields.filter((field) => !fieldType(field).isWide && isShown(field)),
    }))
    .filter(({ fields }) => fields.length > 0)
  return {
    title: byId(title?.field_id),
    description: described && (!isUnset(described) || opensEditor(described)) ? described : undefined,
    wide: others.filter((field) => fieldType(field).isWide && isShown(field)),
    groups: properties.map(({ heading, fields }) => ({ heading: properties.length > 1 ? heading : undefined, fields })),
    unset: others.filter((field) => !isShown(field) && opensEditor(field)),
  }
}

/** Fields and notes, without the containers around them, separators and line breaks. */
function leavesOf({ field, content }: FieldNode): readonly TrackerField[] {
  const { kind, isWide } = fieldType(field)
  if (kind === 'container') return content.flatMap(leavesOf)
  return kind === 'field' || isWide ? [field] : []
}
