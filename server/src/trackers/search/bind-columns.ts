import type { Element, TrackerId } from '../tracker.ts'
import { meaningsOf } from './bind-comparison.ts'
import { METADATA_NAMES } from './bind-metadata.ts'
import { meaning as meant } from './bind-problems.ts'
import type { Binding, NameScope } from './bind-scope.ts'
import { nearestName } from '../../platform/wire/nearest.ts'
import type { Searchable } from './tql/syntax.ts'

/** A column of a search in several trackers. */
export interface BoundColumn {
  /** The name as written. */
  readonly name: string
  /** The readable field in each tracker; empty for metadata. */
  readonly elements: ReadonlyMap<TrackerId, Element>
}

/** Metadata that can be shown, but neither searched nor sorted by. */
const ONLY_SHOWN = ['@project.name', '@tracker.name', '@pretty_title', '@link_type']
/** Multi-valued metadata. */
const NEVER_SHOWN = ['@comments']
const SHOWN = [...METADATA_NAMES.filter((name) => !NEVER_SHOWN.includes(name)), ...ONLY_SHOWN]

/** Distinct columns, in the order as written. */
export function bindColumns(columns: readonly Searchable[], names: NameScope, binding: Binding): BoundColumn[] {
  const written = new Map(columns.map((column) => [`${column.kind} ${column.name}`, column]))
  // Columns always show current values, even in queries about the past.
  return [...written.values()].flatMap((column) => bindColumn(column, names, { ...binding, isOfPast: false }) ?? [])
}

function bindColumn(column: Searchable, names: NameScope, binding: Binding): BoundColumn | undefined {
  if (column.kind === 'field') return columnOf(column.name, column, names, binding)
  const { position } = column
  const name = `@${column.name}`
  if (ONLY_SHOWN.includes(name)) return { name, elements: new Map() }
  if (SHOWN.includes(name)) return columnOf(name, column, names, binding)
  const params = { name, ...meant(nearestName(name, SHOWN)) }
  binding.problems.add({ reason: 'query_unknown_key', cause: 'metadata', position, allowed: SHOWN, params })
  return undefined
}

function columnOf(name: string, column: Searchable, names: NameScope, binding: Binding): BoundColumn | undefined {
  const meanings = meaningsOf(column, names, binding)
  const elements = names.accesses.flatMap(({ tracker }, at): [TrackerId, Element][] => {
    const element = meanings?.[at]?.element
    return element ? [[tracker.id, element]] : []
  })
  return meanings && { name, elements: new Map(elements) }
}
