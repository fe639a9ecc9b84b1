import { Refusal } from '@waypost/sdk/answer'
import type { RowSource } from './row-loader.ts'
import { showRefusal } from '../shell/show-refusal.ts'

/** Selects or deselects one. */
export function toggled(chosen: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Adds these to the selection. */
export function added(chosen: ReadonlySet<number>, ids: Iterable<number | undefined>): ReadonlySet<number> {
  const next = new Set(chosen)
  for (const id of ids) if (id !== undefined) next.add(id)
  return next
}

/** Collects the ids of all rows, including those not loaded, up to a maximum. */
export async function collectIds(source: RowSource, most: number): Promise<{ ids: readonly number[]; isCut: boolean }> {
  const ids: number[] = []
  try {
    for await (const page of source.ids()) {
      ids.push(...page)
      if (ids.length > most) break
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    showRefusal(error.failure)
  }
  return { ids: ids.slice(0, most), isCut: ids.length > most }
}
