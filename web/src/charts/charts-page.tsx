import { useParams } from '@tanstack/react-router'
import { TrackerFrame } from '../trackers/tracker-frame.tsx'
import { TrackerCharts } from './tracker-charts.tsx'

export function ChartsPage() {
  const { id } = useParams({ from: '/shell/trackers/$id/charts' })
  return <TrackerFrame id={id}>{(tracker) => <TrackerCharts key={tracker.id} tracker={tracker} />}</TrackerFrame>
}
