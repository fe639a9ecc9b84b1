import { queryClient } from './query-client.ts'

/** Creating, changing, copying, deleting and restoring artifacts; not marks such as `seen` or `watch`. */
const CHANGES = /^[^?]*\/artifacts(?:\/(?:bulk|\d+(?:\/(?:copy|restoration))?))?(?:\?|$)/

/** True for a request that may change how many artifacts are open, or assigned to the viewer. */
export function changesCounts(url: string, method = 'GET'): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method) && CHANGES.test(url) && !/[?&]dry_run=true\b/.test(url)
}

/** Counts the open artifacts of the trackers in the sidebar again, and those of the viewer. */
export function refreshCounts(): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [area, of, part] }) =>
      (area === 'trackers' && part === 'open') || (area === 'artifacts' && of === 'assigned' && part === 'count'),
  })
}
