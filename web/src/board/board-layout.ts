import type { Artifact, TrackerField } from '@waypost/sdk/api'
import { fieldValue } from '../artifacts/artifact-queries.ts'
import { type ChoiceKey, listChoices } from '../artifacts/choices.ts'
import { fieldType } from '../field-types/field-types.ts'
import { storedKeys } from '../field-types/parts/list-keys.ts'
import { offeredItems } from '../field-types/values.ts'
import { text } from './messages.ts'

export interface BoardColumn {
  /** Undefined: the field is empty. */
  readonly key: ChoiceKey | undefined
  readonly label: string
  readonly color: string | undefined
  readonly count: number
}

export interface ShownColumn extends BoardColumn {
  readonly isCollapsed: boolean
  /** The number of cards above the limit. */
  readonly excess: number
}

/** Cards with the same value in the lane field. For people it may be several values. */
export interface Lane {
  readonly id: string
  readonly keys: readonly ChoiceKey[]
  readonly label: string
  readonly count: number
  /** One array per column. */
  readonly cells: readonly (readonly Artifact[])[]
}

export interface Layout {
  readonly columns: readonly BoardColumn[]
  readonly lanes: readonly Lane[]
}

/** Assigns every card to its column and lane, keeping the order of the rows. */
export function layOutBoard(artifacts: readonly Artifact[], by: TrackerField, lanes: TrackerField | undefined): Layout {
  const counts = Map.groupBy(artifacts, (artifact) => columnKey(artifact, by))
  const columns = columnsOf(by, counts)
  const places = new Map(columns.map(({ key }, index) => [key, index]))
  const byLane = Map.groupBy(artifacts, (artifact) => laneIdOf(artifact, lanes))
  if (byLane.size === 0) byLane.set('', [])
  const laid = [...byLane].map(([id, ofLane]) => {
    const cells: Artifact[][] = columns.map(() => [])
    for (const artifact of ofLane) cells[places.get(columnKey(artifact, by)) ?? 0]?.push(artifact)
    const value = lanes && ofLane[0] && fieldValue(ofLane[0], lanes.field_id)
    return { id, keys: storedKeys(value), label: labelOf(value) ?? text('board.none'), count: ofLane.length, cells }
  })
  return { columns, lanes: lanes ? inOrder(laid, lanes) : laid }
}

export function columnKey(artifact: Artifact, field: TrackerField): ChoiceKey | undefined {
  return storedKeys(fieldValue(artifact, field.field_id))[0]
}

export function laneIdOf(artifact: Artifact, lanes: TrackerField | undefined): string {
  return lanes ? storedKeys(fieldValue(artifact, lanes.field_id)).map(String).toSorted().join() : ''
}

/** Selectable values; also retired values and "None" if a card has them. */
function columnsOf(by: TrackerField, counts: ReadonlyMap<ChoiceKey | undefined, readonly Artifact[]>): BoardColumn[] {
  const colors = new Map(offeredItems(by).map(({ id, value_color: color }) => [id ?? undefined, color || undefined]))
  const known = listChoices(by)
  const shown = known.filter(({ key, isHidden }) => !isHidden || counts.has(key))
  const column = (key: ChoiceKey | undefined, label: string): BoardColumn => ({
    key,
    label,
    color: colors.get(key),
    count: counts.get(key)?.length ?? 0,
  })
  const strange = [...counts].flatMap(([key, [first]]) =>
    key === undefined || known.some((each) => each.key === key)
      ? []
      : [column(key, (first && labelOf(fieldValue(first, by.field_id))) ?? String(key))],
  )
  const none = counts.has(undefined) ? [column(undefined, text('board.none'))] : []
  return [...none, ...shown.map(({ key, label }) => column(key, label)), ...strange]
}

function labelOf(value: ReturnType<typeof fieldValue>): string | undefined {
  const names = (value && fieldType(value).entries?.(value)) ?? []
  return names.length > 0 ? names.join(', ') : undefined
}

/** In the order of the list; cards without a value come last. */
function inOrder(laid: readonly Lane[], lanes: TrackerField): Lane[] {
  const order = new Map(listChoices(lanes).map(({ key }, index) => [key, index]))
  const rank = ({ keys: [first] }: Lane) => (first === undefined ? Infinity : (order.get(first) ?? order.size))
  return laid.toSorted((one, other) => rank(one) - rank(other) || one.label.localeCompare(other.label))
}
