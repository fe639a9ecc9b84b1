import type { ReactNode } from 'react'
import type { Hue } from './hue.ts'
import styles from './pill.module.css'

/** How far a status is: the filled share of its circle while open, else a check or a cross. */
export type StatusProgress = number | 'done' | 'dropped'

const CIRCUMFERENCE = 2 * Math.PI * 2.25

/** A value of the status field: a round pill with a glyph, so that the colour is never alone. */
export function StatusPill({ hue, progress, children }: { hue: Hue; progress: StatusProgress; children: ReactNode }) {
  return (
    <span className={`${styles['pill']} ${styles['status']}`} data-hue={hue}>
      <StatusGlyph progress={progress} />
      <span className={styles['clipped']} dir="auto">
        {children}
      </span>
    </span>
  )
}

/** A value of any other list. */
export function ValuePill({ hue, children }: { hue: Hue; children: ReactNode }) {
  return (
    <span className={styles['pill']} data-hue={hue}>
      <span className={styles['clipped']} dir="auto">
        {children}
      </span>
    </span>
  )
}

export function StatusGlyph({ progress }: { progress: StatusProgress }) {
  if (typeof progress !== 'number')
    return (
      <svg className={styles['glyph']} viewBox="0 0 14 14" aria-hidden>
        <circle cx="7" cy="7" r="6.25" fill="currentColor" />
        <path className={styles['sign']} d={progress === 'done' ? 'm4.2 7.2 2 2 3.6-4' : 'm5 5 4 4m0-4-4 4'} />
      </svg>
    )
  return (
    <svg className={styles['glyph']} viewBox="0 0 14 14" aria-hidden>
      <circle cx="7" cy="7" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      {/* A thick dash on a small circle is a slice of it. */}
      <circle
        cx="7"
        cy="7"
        r="2.25"
        fill="none"
        stroke="currentColor"
        strokeWidth="4.5"
        strokeDasharray={`${progress * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
        transform="rotate(-90 7 7)"
      />
    </svg>
  )
}
