import styles from './priority-icon.module.css'

const LEVELS = ['none', 'low', 'medium', 'high', 'urgent'] as const
export type PriorityLevel = (typeof LEVELS)[number]

/** Words of values that have a level, in the languages of the pages. */
const WORDS: Readonly<Record<string, PriorityLevel>> = {
  urgent: 'urgent',
  critical: 'urgent',
  blocker: 'urgent',
  highest: 'urgent',
  dringend: 'urgent',
  kritisch: 'urgent',
  high: 'high',
  hoch: 'high',
  medium: 'medium',
  normal: 'medium',
  mittel: 'medium',
  low: 'low',
  lowest: 'low',
  niedrig: 'low',
  gering: 'low',
  none: 'none',
  keine: 'none',
}

/** The level of a value of the field `priority`, by its name; undefined: it has no icon. */
export function toPriorityLevel(label: string): PriorityLevel | undefined {
  const word = label.trim().toLowerCase()
  return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined
}

/** For sorting: the most urgent first. A value without a level is as urgent as a usual one; no value is last. */
export function priorityRank(label: string | undefined): number {
  const level = label === undefined ? 'none' : (toPriorityLevel(label) ?? 'medium')
  return LEVELS.length - LEVELS.indexOf(level)
}

/** Bars as for the strength of a signal; urgent is a filled square. The name of the value stands beside it. */
export function PriorityIcon({ level }: { level: PriorityLevel }) {
  if (level === 'urgent')
    return (
      <svg className={styles['urgent']} viewBox="0 0 16 16" aria-hidden>
        <rect x="1.5" y="1.5" width="13" height="13" rx="3" />
        <path d="M8 4.75v4M8 11.25v.01" />
      </svg>
    )
  const filled = LEVELS.indexOf(level)
  return (
    <svg className={styles['bars']} viewBox="0 0 16 16" aria-hidden>
      {[0, 1, 2].map((bar) => (
        <rect
          key={bar}
          data-filled={bar < filled}
          x={2 + bar * 4.5}
          y={level === 'none' ? 7.5 : 9 - bar * 3.25}
          width="3"
          height={level === 'none' ? 1.5 : 4.5 + bar * 3.25}
          rx="0.75"
        />
      ))}
    </svg>
  )
}
