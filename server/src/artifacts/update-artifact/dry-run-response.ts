import { isRecord } from '../../platform/wire/schema-shape.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { ArtifactRepresentation, RepresentedValue } from '../reading/represent-artifact.ts'
import { isNewValue } from './decide-values.ts'
import type { VersionDraft } from './version-draft.ts'

/** The response of a dry run: values that only a real write assigns are null. */
export function toDryRunResponse<Answer extends Pick<ArtifactRepresentation, 'values' | 'values_by_field'>>(
  answer: Answer,
  draft: VersionDraft,
  by: 'creation' | 'version',
): Answer {
  const { values, values_by_field: named } = answer
  const entries = Object.entries(named ?? {}).map(([name, value]) => [name, value && toDryRunValue(value, draft, by)])
  return {
    ...answer,
    values: values && values.map((value) => toDryRunValue(value, draft, by)),
    values_by_field: named && Object.fromEntries(entries),
  }
}

/** A creation assigns everything that a version assigns, and more. */
function toDryRunValue(value: RepresentedValue, draft: VersionDraft, by: 'creation' | 'version'): RepresentedValue {
  const { givenBy } = fieldTypeOf(value)
  const isGiven = givenBy !== undefined && (givenBy === by || by === 'creation')
  return withoutNewIds(isGiven ? { ...value, value: null } : value, draft)
}

/** Newly typed values and copied files have no id yet. */
export function withoutNewIds<Entry extends { readonly field_id: number }>(entry: Entry, draft: VersionDraft): Entry {
  const { changes, copied } = draft
  if ([...copied].some((field) => field === entry.field_id)) return withoutFileIds(entry)
  const objects: unknown = 'bind_value_objects' in entry ? entry.bind_value_objects : undefined
  const [, drafted] = [...changes].find(([field]) => field === entry.field_id) ?? []
  if (!Array.isArray(objects) || !Array.isArray(drafted)) return entry
  const made = new Set(drafted.filter(isNewValue).map(({ label }) => label))
  if (made.size === 0) return entry
  return {
    ...entry,
    bind_value_objects: objects.map((each: unknown) => (isOneOf(each, made) ? { ...each, id: null } : each)),
  }
}

function withoutFileIds<Entry extends object>(entry: Entry): Entry {
  const files: unknown = 'file_descriptions' in entry ? entry.file_descriptions : undefined
  const unknown = { id: null, html_url: null, html_preview_url: null, uri: null }
  const nameless = Array.isArray(files)
    ? files.map((file: unknown) => (isRecord(file) ? { ...file, ...unknown } : file))
    : files
  return { ...entry, file_descriptions: nameless }
}

function isOneOf(value: unknown, labels: ReadonlySet<string>): value is { readonly label: string } {
  if (typeof value !== 'object' || value === null || !('label' in value) || !('id' in value)) return false
  return typeof value.label === 'string' && labels.has(value.label) && typeof value.id === 'string'
}
