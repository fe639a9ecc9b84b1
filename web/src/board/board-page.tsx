import { useParams } from '@tanstack/react-router'
import { TrackerFrame } from '../trackers/tracker-frame.tsx'
import { TrackerBoard } from './tracker-board.tsx'

export function BoardPage() {
  const { id } = useParams({ from: '/shell/trackers/$id/board' })
  return <TrackerFrame id={id}>{(tracker) => <TrackerBoard key={tracker.id} tracker={tracker} />}</TrackerFrame>
}
