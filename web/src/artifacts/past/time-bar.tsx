import { ChevronLeft, ChevronRight, History } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Button } from '../../design/button.tsx'
import { Icon } from '../../design/icon.tsx'
import { locale } from '../../messages/language.ts'
import { Keys } from '../../shell/keys.tsx'
import { useShortcuts } from '../../shell/use-shortcuts.ts'
import { text } from './messages.ts'
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
    <section className={styles['bar']} aria-label={text('past.open')}>
      <p className={styles['banner']} role="status">
        <Icon of={History} />
        {at !== undefined && (
          <>
            <b>{text('past.banner', { when: full.format(new Date(at)) })}</b>
            <span>
              {text('past.read_only')} {text('past.marked', { count: differing })}
            </span>
          </>
        )}
      </p>
      <Button kind="primary" onPress={onLeave}>
        {text('past.back')} <Keys keys="Esc" />
      </Button>
      <div className={styles['slider']}>
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
        <Button kind="icon" aria-label={text('past.earlier')} isDisabled={version <= 1} onPress={() => go(version - 1)}>
          <Icon of={ChevronLeft} />
        </Button>
        <Button
          kind="icon"
          aria-label={text('past.later')}
          isDisabled={version >= latest}
          onPress={() => go(version + 1)}
        >
          <Icon of={ChevronRight} />
        </Button>
      </div>
    </section>
  )
}
