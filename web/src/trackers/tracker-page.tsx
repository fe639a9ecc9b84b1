import { usePrefetchQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { reportsQuery } from './reports-query.ts'
import { TrackerFrame } from './tracker-frame.tsx'
import { TrackerTable } from './tracker-table.tsx'

export function TrackerPage() {
  const { id } = useParams({ from: '/shell/trackers/$id' })
  usePrefetchQuery(reportsQuery(Number(id))) // While the tracker is on its way: one of them may be what it opens with.
  return <TrackerFrame id={id}>{(tracker) => <TrackerTable key={tracker.id} tracker={tracker} />}</TrackerFrame>
}
