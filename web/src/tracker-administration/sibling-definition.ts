import { useQueries, useQuery } from '@tanstack/react-query'
import type { Tracker } from '@waypost/sdk/api'
import { trackerQuery } from '../trackers/tracker-query.ts'
import { definitionQuery } from './definition-query.ts'

/** The definition of another tracker; never loaded if the viewer does not administer it. */
export function useSiblingDefinition(id: number | undefined) {
  const { data: tracker } = useQuery({ ...trackerQuery(id ?? 0), enabled: id !== undefined })
  const definition = useQuery({ ...definitionQuery(id ?? 0), enabled: mayAdminister(tracker) })
  return { definition: definition.data?.definition, isDenied: tracker !== undefined && !mayAdminister(tracker) }
}

/** The same for several trackers, in their order. */
export function useSiblingDefinitions(ids: readonly number[]) {
  const trackers = useQueries({ queries: ids.map((id) => trackerQuery(id)) })
  const found = useQueries({
    queries: ids.map((id, at) => ({ ...definitionQuery(id), enabled: mayAdminister(trackers[at]?.data) })),
  })
  return found.map(({ data }) => data?.definition)
}

/** A refused request would be logged in the audit log. */
function mayAdminister(tracker: Tracker | undefined): boolean {
  return tracker !== undefined && tracker.permissions_for_groups !== null
}
