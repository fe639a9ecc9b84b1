import { isRecord } from '../../platform/wire/schema-shape.ts'
import type { ReadContext } from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { FoundArtifact } from './find-artifact.ts'
import type { ArtifactRepresentation } from './represent-artifact.ts'

/** A column of an artifact table: a member of the list representation, or a field. */
export type ArtifactColumn =
  | { readonly name: string; readonly path: readonly string[] }
  | { readonly name: string; readonly field: Element }

const USUAL = ['id', 'xref', 'title', 'status', 'submitted_by', 'submitted_on', 'last_modified_date']
const VALUES = 'values'

/** Members that are more readable in a cell than the requested one. */
const SPOKEN: ReadonlyMap<string, readonly string[]> = new Map([
  ['submitted_by', ['submitted_by_user']],
  ['last_update_by', ['last_update_by_user']],
  ['full_status', ['full_status', 'value']],
])

/** Fields that the viewer may read. */
export function listReadableFields({ readable }: TrackerAccess): readonly Element[] {
  return readable.filter((element) => fieldTypeOf(element).kind === 'field')
}

/** The requested columns in order; by default the usual members and all fields. Unknown names are refused elsewhere. */
export function selectTableColumns(access: TrackerAccess, asked: readonly string[]): readonly ArtifactColumn[] {
  return (asked.length > 0 ? asked : [...USUAL, VALUES]).flatMap((name): readonly ArtifactColumn[] => {
    const [member = '', field = '*'] = name.split('.')
    if (member !== VALUES) return [{ name, path: SPOKEN.get(name) ?? name.split('.') }]
    return listReadableFields(access)
      .filter((element) => field === '*' || element.name === field || String(element.id) === field)
      .map((element) => ({ name: element.name, field: element }))
  })
}

export function tableCell(
  column: ArtifactColumn,
  found: FoundArtifact,
  shown: ArtifactRepresentation,
  reading?: ReadContext,
): unknown {
  if ('path' in column) return memberAt(shown, column.path)
  const { field } = column
  return reading && fieldTypeOf(field).flat?.(found.artifact.field_values[String(field.id)], field, reading)
}

function memberAt(value: unknown, [name, ...deeper]: readonly string[]): unknown {
  if (name === undefined) return value
  if (Array.isArray(value)) return value.map((each: unknown) => memberAt(each, [name, ...deeper]))
  return isRecord(value) ? memberAt(value[name], deeper) : undefined
}
