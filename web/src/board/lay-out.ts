import type { Artifact, TrackerField } from '@waypost/sdk/api'
import { valueOf } from '../artifacts/artifact-queries.ts'
import { type ChoiceKey, choicesOf } from '../artifacts/choices.ts'
import { storedKeys } from '../artifacts/draft.ts'
import { recordsIn, textIn } from '../artifacts/loose.ts'
import { readValue } from '../artifacts/read-value.ts'
import { text } from './words.ts'

export interface Column {
  /** Undefined: nothing is chosen. */
  readonly key: ChoiceKey | undefined
  readonly label: string
  readonly color: string | undefined
  readonly count: number
}

/** Cards that have the same in the field of the lanes. Of people it may be several. */
export interface Lane {
  readonly id: string
  readonly keys: readonly ChoiceKey[]
  readonly label: string
  readonly count: number
  /** As many as there are columns. */
  readonly cells: readonly (readonly Artifact[])[]
}

export interface Layout {
  readonly columns: readonly Column[]
  readonly lanes: readonly Lane[]
}

/** Every card in its column and lane, in the order in which they come. */
export function layOut(artifacts: readonly Artifact[], by: TrackerField, lanes: TrackerField | undefined): Layout {
  const counts = Map.groupBy(artifacts, (artifact) => keyOf(artifact, by))
  const columns = columnsOf(by, counts)
  const places = new Map(columns.map(({ key }, index) => [key, index]))
  const byLane = Map.groupBy(artifacts, (artifact) => laneIdOf(artifact, lanes))
  if (byLane.size === 0) byLane.set('', [])
  const laid = [...byLane].map(([id, ofLane]) => {
    const cells: Artifact[][] = columns.map(() => [])
    for (const artifact of ofLane) cells[places.get(keyOf(artifact, by)) ?? 0]?.push(artifact)
    const value = lanes && ofLane[0] && valueOf(ofLane[0], lanes.field_id)
    return { id, keys: storedKeys(value), label: labelOf(value) ?? text('board.none'), count: ofLane.length, cells }
  })
  return { columns, lanes: lanes ? inOrder(laid, lanes) : laid }
}

export function keyOf(artifact: Artifact, field: TrackerField): ChoiceKey | undefined {
  return storedKeys(valueOf(artifact, field.field_id))[0]
}

export function laneIdOf(artifact: Artifact, lanes: TrackerField | undefined): string {
  return lanes ? storedKeys(valueOf(artifact, lanes.field_id)).map(String).toSorted().join() : ''
}

/** What can be chosen; besides, what can be no longer but still is, and nothing, where a card has it. */
function columnsOf(by: TrackerField, counts: ReadonlyMap<ChoiceKey | undefined, readonly Artifact[]>): Column[] {
  const colors = new Map(recordsIn(by.values).map(({ id, value_color: color }) => [id, textIn(color) || undefined]))
  const known = choicesOf(by)
  const shown = known.filter(({ key, isHidden }) => !isHidden || counts.has(key))
  const column = (key: ChoiceKey | undefined, label: string): Column => ({
    key,
    label,
    color: colors.get(key),
    count: counts.get(key)?.length ?? 0,
  })
  const strange = [...counts].flatMap(([key, [first]]) =>
    key === undefined || known.some((each) => each.key === key)
      ? []
      : [column(key, (first && labelOf(valueOf(first, by.field_id))) ?? String(key))],
  )
  const none = counts.has(undefined) ? [column(undefined, text('board.none'))] : []
  return [...none, ...shown.map(({ key, label }) => column(key, label)), ...strange]
}

function labelOf(value: ReturnType<typeof valueOf>): string | undefined {
  const shown = readValue(value)
  if (shown.kind === 'people') return shown.people.map(({ name }) => name).join(', ')
  return shown.kind === 'choices' ? shown.choices.map(({ label }) => label).join(', ') : undefined
}

/** As the list has its values; those without one come last. */
function inOrder(laid: readonly Lane[], lanes: TrackerField): Lane[] {
  const order = new Map(choicesOf(lanes).map(({ key }, index) => [key, index]))
  const rank = ({ keys: [first] }: Lane) => (first === undefined ? Infinity : (order.get(first) ?? order.size))
  return laid.toSorted((one, other) => rank(one) - rank(other) || one.label.localeCompare(other.label))
}
