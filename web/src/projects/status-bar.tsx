import { text } from './messages.ts'
import styles from './status-bar.module.css'
import type { TrackerHealth } from './tracker-health.ts'

/** The closed share of a tracker, then its open artifacts in the colours of their statuses. */
export function StatusBar({ health: { open, total, statuses } }: { readonly health: TrackerHealth }) {
  const closed = total - open
  const shown = statuses?.reduce((sum, { count }) => sum + count, 0) ?? 0
  const parts = [
    { label: text('project_health.closed'), hue: 'green' as const, count: closed, isClosed: true },
    ...(statuses ?? []),
    { label: text('project_health.open'), hue: 'gray' as const, count: open - shown },
  ].filter(({ count }) => count > 0)
  const name = text('trackers.closed', { closed, count: total })
  return (
    <>
      <span className={styles['bar']} data-loading={statuses === null} aria-hidden>
        {parts.map((part) => (
          <span
            key={part.label}
            data-hue={part.hue}
            data-closed={'isClosed' in part}
            style={{ '--share': part.count }}
            title={text('project_health.part', { label: part.label, count: part.count })}
          />
        ))}
      </span>
      <span className={styles['text']}>{name}</span>
    </>
  )
}
