import { Refusal } from '@waypost/sdk/answer'
import type { Source } from './row-loader.ts'
import { tellRefusal } from '../shell/tell-refusal.ts'

/** Marks or unmarks one. */
export function toggled(chosen: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return next
}

/** All of these, besides those that are chosen. */
export function added(chosen: ReadonlySet<number>, ids: Iterable<number | undefined>): ReadonlySet<number> {
  const next = new Set(chosen)
  for (const id of ids) if (id !== undefined) next.add(id)
  return next
}

/** Every row there is, also those that nobody has scrolled to; of very many, the first. */
export async function collectIds(source: Source, most: number): Promise<{ ids: readonly number[]; isCut: boolean }> {
  const ids: number[] = []
  try {
    for await (const page of source.ids()) {
      ids.push(...page)
      if (ids.length > most) break
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    tellRefusal(error.failure)
  }
  return { ids: ids.slice(0, most), isCut: ids.length > most }
}
