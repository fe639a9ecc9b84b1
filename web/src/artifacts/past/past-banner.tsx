import { ChevronLeft, ChevronRight, History } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../design/button.tsx'
import { Icon } from '../../design/icon.tsx'
import { Keys } from '../../shell/keys.tsx'
import { text } from './messages.ts'
import styles from './time-bar.module.css'

interface BannerProps {
  /** Undefined while the state is loading. */
  readonly headline: string | undefined
  readonly note: string
  readonly onLeave: () => void
  /** The controls that choose the moment. */
  readonly children: ReactNode
}

/** Tells that a page shows an earlier state, above the controls that choose it. */
export function PastBanner({ headline, note, onLeave, children }: BannerProps) {
  return (
    <section className={styles['bar']} aria-label={text('past.open')}>
      <p className={styles['banner']} role="status">
        <Icon of={History} />
        {headline !== undefined && (
          <>
            <b>{headline}</b>
            <span>{note}</span>
          </>
        )}
      </p>
      <Button kind="primary" onPress={onLeave}>
        {text('past.back')} <Keys keys="Esc" />
      </Button>
      <div className={styles['slider']}>{children}</div>
    </section>
  )
}

interface StepProps {
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onStep: (by: -1 | 1) => void
}

/** Go to the change before or after the shown state. */
export function PastSteps({ isFirst, isLast, onStep }: StepProps) {
  return (
    <>
      <Button kind="icon" aria-label={text('past.earlier')} isDisabled={isFirst} onPress={() => onStep(-1)}>
        <Icon of={ChevronLeft} />
      </Button>
      <Button kind="icon" aria-label={text('past.later')} isDisabled={isLast} onPress={() => onStep(1)}>
        <Icon of={ChevronRight} />
      </Button>
    </>
  )
}
