import { type ReadDefinition, readDefinition } from '../src/trackers/definition/read-definition.ts'
import type { TrackerDefinition } from '../src/trackers/definition/schemas.ts'
import type { Tracker } from '../src/trackers/tracker.ts'
import { definitionWorld } from './definition-world.ts'
import { wholeDefinition } from './whole-definition.ts'

type Change = (document: ReturnType<typeof wholeDefinition>) => void

/** The whole definition with a change, read. */
export function readChanged(change: Change, stored?: Tracker): ReadDefinition {
  const document = wholeDefinition()
  change(document)
  return readDefinition(document, definitionWorld(), { stored })
}

/** What is wrong with it: place, reason, and cause where there is one. */
export function problemsOf(change: Change, stored?: Tracker): string[][] {
  return readChanged(change, stored).problems.map(({ path, reason, cause }) => [
    path,
    reason,
    ...(cause ? [cause] : []),
  ])
}

/** Leaves nothing that depends on fields. */
export function plain(document: TrackerDefinition): void {
  document.semantics = {}
  document.workflow = null
  document.rules = {}
  document.reports = []
}
