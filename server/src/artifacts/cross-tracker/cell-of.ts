import { plainText } from '../../platform/texts/plain-text.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import { isTimed } from '../../trackers/fields/date.ts'
import type { FlatValue, Reading } from '../../trackers/fields/field-type.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import { loginOf, personIn } from '../../trackers/fields/person.ts'
import type { BoundColumn } from '../../trackers/search/bind-columns.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import { titleOf } from '../reading/title.ts'
import { type ColumnType, typeOf } from './columns.ts'

/** What is shown where there is nothing for the viewer: no field, none that he may read, none of a kind that is shown. */
const UNKNOWN = { value: null }

/** What a column shows of an artifact; `reading` is of the fields of the columns. */
export function cellOf(column: BoundColumn, found: FoundArtifact, reading: Reading): object {
  const element = column.elements.get(found.sight.tracker.id)
  if (!element) return cellOfAll(column.name, found, reading)
  return CELLS.get(typeOf(column))?.(element, storedIn(found, element), reading) ?? UNKNOWN
}

/** The same in plain words, for a table. */
export function flatCellOf(column: BoundColumn, found: FoundArtifact, reading: Reading): FlatValue {
  const { artifact, sight } = found
  const element = column.elements.get(sight.tracker.id)
  if (element) {
    const type = fieldTypeOf(element)
    return typeOf(column) === 'unknown' ? null : (type.flat?.(storedIn(found, element), element, reading) ?? null)
  }
  switch (column.name) {
    case '@id':
      return artifact.id
    case '@submitted_by':
    case '@last_update_by':
      return loginOf(reading, column.name === '@submitted_by' ? artifact.submitted_by : artifact.last_update_by)
    case '@submitted_on':
    case '@last_update_date':
      return dateOf(column.name, found)
    case '@project.name':
      return sight.tracker.project.label
    case '@tracker.name':
      return sight.tracker.label
    case '@pretty_title':
      return `${sight.tracker.item_name} #${artifact.id} ${titleOf(found) ?? ''}`.trimEnd()
    default:
      return null
  }
}

type CellOf = (element: Element, stored: unknown, reading: Reading) => object

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

/** What every artifact has; a field that its tracker has not, or not for the viewer, is unknown. */
function cellOfAll(name: string, found: FoundArtifact, reading: Reading): object {
  const { artifact, sight } = found
  const { item_name, label, color_name, project } = sight.tracker
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
      return { tracker_name: item_name, color: color_name, artifact_id: artifact.id, title: titleOf(found) ?? '' }
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

/** Without markup, like a title. */
function textIn(element: Element, stored: unknown): string {
  const [text] = fieldTypeOf(element).texts?.(stored) ?? []
  return text ? plainText(text.format, text.content) : ''
}

function numberIn(element: Element, stored: unknown, reading: Reading): number | null {
  const value = fieldTypeOf(element).flat?.(stored, element, reading)
  return typeof value === 'number' ? value : null
}

function shownBy(element: Element, stored: unknown, reading: Reading): Readonly<Record<string, unknown>> {
  const shown = fieldTypeOf(element).read?.(stored, element, reading)
  return isRecord(shown) ? shown : {}
}

type Entry = Readonly<Record<string, unknown>>

/** What is chosen; nothing, where other answers have a word for it. */
function entriesOf(element: Element, stored: unknown, reading: Reading): Entry[] {
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
