import { usePrefetchQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { reportsQuery } from './reports-query.ts'
import { TrackerFrame } from './tracker-frame.tsx'
import { TrackerTable } from './tracker-table.tsx'

export function TrackerPage() {
  const { id } = useParams({ from: '/shell/trackers/$id' })
  usePrefetchQuery(reportsQuery(Number(id))) // In parallel with the tracker: one may be its default report.
  return (
    <TrackerFrame id={id} hasInstructions>
      {(tracker) => <TrackerTable key={tracker.id} tracker={tracker} />}
    </TrackerFrame>
  )
}
