import { isRecord } from '../../platform/wire/schema-shape.ts'
import type { Reading } from '../../trackers/fields/field-type.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { FoundArtifact } from './find-artifact.ts'
import type { ArtifactRepresentation } from './represent-artifact.ts'

/** One column of a table of artifacts: a member of what lists show, or a field. */
export type Column =
  | { readonly name: string; readonly path: readonly string[] }
  | { readonly name: string; readonly field: Element }

const USUAL = ['id', 'xref', 'title', 'status', 'submitted_by', 'submitted_on', 'last_modified_date']
const VALUES = 'values'

/** What stands in a cell instead of a member that says less to people. */
const SPOKEN: ReadonlyMap<string, readonly string[]> = new Map([
  ['submitted_by', ['submitted_by_user']],
  ['last_update_by', ['last_update_by_user']],
  ['full_status', ['full_status', 'value']],
])

/** The fields that the viewer may read here. */
export function fieldsOf({ readable }: Sight): readonly Element[] {
  return readable.filter((element) => fieldTypeOf(element).kind === 'field')
}

/** Those that are asked for, in that order; else the usual ones, and all fields. Names that nobody knows are refused elsewhere. */
export function columnsOf(sight: Sight, asked: readonly string[]): readonly Column[] {
  return (asked.length > 0 ? asked : [...USUAL, VALUES]).flatMap((name): readonly Column[] => {
    const [member = '', field = '*'] = name.split('.')
    if (member !== VALUES) return [{ name, path: SPOKEN.get(name) ?? name.split('.') }]
    return fieldsOf(sight)
      .filter((element) => field === '*' || element.name === field || String(element.id) === field)
      .map((element) => ({ name: element.name, field: element }))
  })
}

export function cellOf(
  column: Column,
  found: FoundArtifact,
  shown: ArtifactRepresentation,
  reading?: Reading,
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
