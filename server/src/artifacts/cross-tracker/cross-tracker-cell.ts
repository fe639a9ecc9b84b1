import { toPlainText } from '../../platform/rich-text/plain-text.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import { isTimed } from '../../trackers/field-types/date/date-field.ts'
import type { FlatValue, ReadContext } from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import { personLogin, personIn } from '../../trackers/field-types/person.ts'
import type { BoundColumn } from '../../trackers/search/bind-columns.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import { readableTitle } from '../reading/title.ts'
import { type ColumnType, columnType } from './columns.ts'

/** The cell for a missing field, an unreadable field, or a field type that is not shown. */
const UNKNOWN = { value: null }

/** The cell of a column for an artifact; `reading` covers the fields of the columns. */
export function crossTrackerCell(column: BoundColumn, found: FoundArtifact, reading: ReadContext): object {
  const element = column.elements.get(found.access.tracker.id)
  if (!element) return cellOfAll(column.name, found, reading)
  return CELLS.get(columnType(column))?.(element, storedIn(found, element), reading) ?? UNKNOWN
}

/** The same as plain text, for a table. */
export function flatCrossTrackerCell(column: BoundColumn, found: FoundArtifact, reading: ReadContext): FlatValue {
  const { artifact, access } = found
  const element = column.elements.get(access.tracker.id)
  if (element) {
    const type = fieldTypeOf(element)
    return columnType(column) === 'unknown' ? null : (type.flat?.(storedIn(found, element), element, reading) ?? null)
  }
  switch (column.name) {
    case '@id':
      return artifact.id
    case '@submitted_by':
    case '@last_update_by':
      return personLogin(reading, column.name === '@submitted_by' ? artifact.submitted_by : artifact.last_update_by)
    case '@submitted_on':
    case '@last_update_date':
      return dateOf(column.name, found)
    case '@project.name':
      return access.tracker.project.label
    case '@tracker.name':
      return access.tracker.label
    case '@pretty_title':
      return `${access.tracker.item_name} #${artifact.id} ${readableTitle(found) ?? ''}`.trimEnd()
    default:
      return null
  }
}

type CellOf = (element: Element, stored: unknown, reading: ReadContext) => object

const CELLS: ReadonlyMap<ColumnType, CellOf> = new Map<ColumnType, CellOf>([
  ['text', (element, stored) => ({ value: textIn(element, stored) })],
  ['numeric', (element, stored, reading) => ({ value: numberIn(element, stored, reading) })],
  [
    'date',
    (element, stored, reading) => ({
      value: shownBy(element, stored, reading)['value'] ?? null,
      with_time: isTimed(element),
    }),
  ],
  ['list_static', (...given) => ({ value: entriesOf(...given).map(labelAndColor) })],
  ['list_user', (...given) => ({ value: entriesOf(...given).map(personOf) })],
  ['list_user_group', (...given) => ({ value: entriesOf(...given).map(({ label }) => ({ label })) })],
])

/** Members that every artifact has. A field that the tracker lacks, or that the viewer may not read, is unknown. */
function cellOfAll(name: string, found: FoundArtifact, reading: ReadContext): object {
  const { artifact, access } = found
  const { item_name, label, color_name, project } = access.tracker
  switch (name) {
    case '@id':
      return { value: artifact.id }
    case '@submitted_by':
    case '@last_update_by':
      return personOf(personIn(reading, name === '@submitted_by' ? artifact.submitted_by : artifact.last_update_by))
    case '@submitted_on':
    case '@last_update_date':
      return { value: dateOf(name, found), with_time: true }
    case '@project.name':
      return { name: project.label, icon: project.icon }
    case '@tracker.name':
      return { name: label, color: color_name }
    case '@pretty_title':
      return { tracker_name: item_name, color: color_name, artifact_id: artifact.id, title: readableTitle(found) ?? '' }
    default:
      return UNKNOWN
  }
}

function dateOf(name: '@submitted_on' | '@last_update_date', { artifact }: FoundArtifact): string {
  return apiDate(name === '@submitted_on' ? artifact.submitted_on : artifact.last_modified_date)
}

function storedIn({ artifact }: FoundArtifact, { id }: Element): unknown {
  return artifact.field_values[String(id)]
}

/** Without markup, as in a title. */
function textIn(element: Element, stored: unknown): string {
  const [text] = fieldTypeOf(element).texts?.(stored) ?? []
  return text ? toPlainText(text.format, text.content) : ''
}

function numberIn(element: Element, stored: unknown, reading: ReadContext): number | null {
  const value = fieldTypeOf(element).flat?.(stored, element, reading)
  return typeof value === 'number' ? value : null
}

function shownBy(element: Element, stored: unknown, reading: ReadContext): Readonly<Record<string, unknown>> {
  const shown = fieldTypeOf(element).read?.(stored, element, reading)
  return isRecord(shown) ? shown : {}
}

type Entry = Readonly<Record<string, unknown>>

/** The chosen values; empty where other representations show a "None" entry. */
function entriesOf(element: Element, stored: unknown, reading: ReadContext): Entry[] {
  if (fieldTypeOf(element).isEmpty?.(stored)) return []
  const { values, bind_value_objects: open = values } = shownBy(element, stored, reading)
  return Array.isArray(open) ? open.filter(isRecord) : []
}

function labelAndColor({ label, tlp_color: color }: Entry): object {
  return { label, color: typeof color === 'string' && color !== '' ? color : null }
}

function personOf(person: object): object {
  const { display_name, avatar_url, user_url = null, is_anonymous }: Entry = { ...person }
  return { display_name, avatar_url, user_url, is_anonymous }
}
