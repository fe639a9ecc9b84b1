import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../../api.ts'
import { toAddressMoment } from './moment.ts'

const HISTOGRAM_STEPS = 96

const loadChanges = (tracker: number, query: { from?: string; to?: string; steps: number }) =>
  read(api.call('GET /trackers/{id}/changes', { path: { id: tracker }, query }))

/** The changes of a tracker from the first one to now. */
export const changeCountsQuery = (tracker: number) =>
  queryOptions({
    queryKey: ['trackers', tracker, 'changes'],
    queryFn: () => loadChanges(tracker, { steps: HISTOGRAM_STEPS }),
    staleTime: 60_000,
  })

/** The moment of the change before or after a state; undefined if there is none. */
export async function loadNextChange(tracker: number, at: string, by: -1 | 1): Promise<string | undefined> {
  const beside = toAddressMoment(Date.parse(at) + by * 1_000)
  const range = by < 0 ? { to: beside } : { from: beside }
  const { first, last } = await loadChanges(tracker, { ...range, steps: 1 })
  const moment = by < 0 ? last : first
  return moment === null ? undefined : toAddressMoment(Date.parse(moment))
}

/** The state before the last change; undefined if nothing has changed since the first one. */
export async function loadLatestPast(tracker: number): Promise<string | undefined> {
  const { first, last } = await loadChanges(tracker, { steps: 1 })
  return last === null || last === first ? undefined : toAddressMoment(Date.parse(last) - 1_000)
}
