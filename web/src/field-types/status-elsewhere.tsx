import { useQuery } from '@tanstack/react-query'
import type { Tracker } from '@waypost/sdk/api'
import { listChoices } from '../artifacts/choices.ts'
import { toHue } from '../design/hue.ts'
import { StatusGlyph, StatusPill, type StatusProgress } from '../design/pill.tsx'
import { trackerQuery } from '../trackers/tracker-query.ts'
import { statusOf } from './status.tsx'

const STALE_MS = 300_000
/** Until the tracker is known: somewhere between begin and end. */
const UNKNOWN_WHILE_OPEN = 0.5

interface Props {
  /** The tracker of the artifact, which may be another one than that of the page. */
  readonly tracker: number
  readonly status: { readonly value: string; readonly color: string | null }
  readonly isOpen: boolean
}

/** The status of an artifact of any tracker, with its place in the workflow of that tracker. */
export function StatusElsewhere({ tracker, status, isOpen }: Props) {
  return (
    <StatusPill hue={toHue(status.color)} progress={useProgress(tracker, status.value, isOpen)}>
      {status.value}
    </StatusPill>
  )
}

/** The same without its label. */
export function GlyphElsewhere({ tracker, status, isOpen }: Props) {
  return <StatusGlyph progress={useProgress(tracker, status.value, isOpen)} />
}

function useProgress(id: number, label: string, isOpen: boolean): StatusProgress {
  const { data: tracker } = useQuery({ ...trackerQuery(id), staleTime: STALE_MS })
  return progressIn(tracker, label, isOpen)
}

/** The place of a status in the workflow of its tracker, undefined while that is loading. */
export function progressIn(tracker: Tracker | undefined, label: string, isOpen: boolean): StatusProgress {
  const status = tracker && statusOf(tracker)
  const field = tracker?.fields.find(({ field_id }) => field_id === status?.fieldId)
  const value = field && listChoices(field).find((choice) => choice.label === label)
  if (!status || !value) return isOpen ? UNKNOWN_WHILE_OPEN : 'done'
  return status.progressOf(value.key)
}
