import { useParams } from '@tanstack/react-router'
import { TrackerFrame } from './tracker-frame.tsx'
import { TrackerTable } from './tracker-table.tsx'

export function TrackerPage() {
  const { id } = useParams({ from: '/shell/trackers/$id' })
  return <TrackerFrame id={id}>{(tracker) => <TrackerTable key={tracker.id} tracker={tracker} />}</TrackerFrame>
}
