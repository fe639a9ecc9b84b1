import { usePrefetchQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { lazyPart } from '../design/lazy-part.tsx'
import { reportsQuery } from './reports-query.ts'
import { TrackerFrame } from './tracker-frame.tsx'
import { TrackerTable } from './tracker-table.tsx'

const TableTimeBar = lazyPart(async () => (await import('./past/table-time-bar.tsx')).TableTimeBar)

export function TrackerPage() {
  const { id } = useParams({ from: '/shell/trackers/$id' })
  const { at } = useSearch({ from: '/shell/trackers/$id' })
  usePrefetchQuery(reportsQuery(Number(id))) // In parallel with the tracker: one may be its default report.
  return (
    <TrackerFrame
      id={id}
      hasInstructions
      banner={(tracker) => at !== undefined && <TableTimeBar tracker={tracker} at={at} />}
    >
      {(tracker) => <TrackerTable key={tracker.id} tracker={tracker} />}
    </TrackerFrame>
  )
}
