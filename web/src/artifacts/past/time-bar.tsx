import type { KeyboardEvent } from 'react'
import { locale } from '../../messages/language.ts'
import { useShortcuts } from '../../shell/use-shortcuts.ts'
import { text } from './messages.ts'
import { PastBanner, PastSteps } from './past-banner.tsx'
import styles from './time-bar.module.css'

interface Props {
  readonly version: number
  readonly latest: number
  /** The moment of the version; undefined while it is loading. */
  readonly at: string | undefined
  /** The number of values that are different today. */
  readonly differing: number
  readonly onGo: (version: number) => void
  readonly onLeave: () => void
}

const full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' })

/** Tells that the page shows an earlier state, and moves through the versions. */
export function TimeBar({ version, latest, at, differing, onGo, onLeave }: Props) {
  const go = (to: number) => {
    if (to >= 1 && to <= latest) onGo(to)
  }
  useShortcuts({
    ArrowLeft: () => go(version - 1),
    ArrowRight: () => go(version + 1),
    Escape: onLeave,
  })
  const leaveByKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') onLeave()
  }
  const position = text('past.version', { version, latest })
  return (
    <PastBanner
      headline={at === undefined ? undefined : text('past.banner', { when: full.format(new Date(at)) })}
      note={`${text('past.read_only')} ${text('past.marked', { count: differing })}`}
      onLeave={onLeave}
    >
      <input
        type="range"
        min={1}
        max={latest}
        value={version}
        aria-label={text('past.slider')}
        aria-valuetext={position}
        onChange={({ target }) => go(Number(target.value))}
        onKeyDown={leaveByKey}
      />
      <span className={styles['position']}>{position}</span>
      <PastSteps isFirst={version <= 1} isLast={version >= latest} onStep={(by) => go(version + by)} />
    </PastBanner>
  )
}
