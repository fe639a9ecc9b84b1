import { meaningsOf } from './bind-comparison.ts'
import { findMetadata } from './bind-metadata.ts'
import type { Meaning } from './bind-names.ts'
import { ofField } from './bind-problems.ts'
import type { Binding, NameScope } from './bind-scope.ts'
import type { SortKey } from './condition.ts'
import type { OrderKey } from './tql/syntax.ts'

/** Binds the sort keys. A key that no tracker has is dropped. */
export function bindOrder(keys: readonly OrderKey[], names: NameScope, binding: Binding): SortKey[] {
  return keys.flatMap((key) => bindKey(key, names, binding) ?? [])
}

function bindKey({ by, isDescending, position }: OrderKey, names: NameScope, binding: Binding): SortKey | undefined {
  const isSortable = by.kind === 'field' || (findMetadata(by.name)?.isSortable ?? true)
  if (!isSortable) {
    const params = { name: `@${by.name}` }
    binding.problems.add({ reason: 'query_unknown_key', cause: 'metadata', position, params })
    return undefined
  }
  const meanings = meaningsOf(by, names, binding)?.filter((each) => each !== undefined) ?? []
  const unsortable = meanings.find(({ sort }) => sort === undefined)
  if (unsortable) refuseType(unsortable, position, binding)
  const values = new Map(meanings.flatMap(({ sort }) => (sort ? [[JSON.stringify(sort), sort]] : [])))
  const [first, ...or] = values.values()
  return first && { by: first, or, isDescending }
}

function refuseType({ element }: Meaning, position: number, { problems }: Binding): void {
  problems.add({ reason: 'query_operator', cause: 'field_type', position, ...(element && ofField(element)) })
}
