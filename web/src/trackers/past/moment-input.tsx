import { useEffect, useState } from 'react'
import { text } from './messages.ts'
import { toAddressMoment, toLocalInput } from './moment.ts'
import styles from './table-time-bar.module.css'

interface Props {
  readonly at: string
  readonly onGo: (moment: string) => void
}

/** A date that is being typed is often valid before it is complete. */
const TYPING_DELAY_MS = 700

/** The moment as a native input, which has a calendar and the keys that people know. */
export function MomentInput({ at, onGo }: Props) {
  const shown = toLocalInput(at)
  const [draft, setDraft] = useState(shown)
  useEffect(() => setDraft(shown), [shown])
  const commit = (typed: string) => {
    const time = Date.parse(typed)
    if (typed === shown || Number.isNaN(time) || time < 0 || time > Date.now()) return
    onGo(toAddressMoment(time))
  }
  useEffect(() => {
    const timer = setTimeout(() => commit(draft), TYPING_DELAY_MS)
    return () => clearTimeout(timer)
  }, [draft])
  return (
    <input
      type="datetime-local"
      className={styles['moment']}
      aria-label={text('past.date')}
      max={toLocalInput(toAddressMoment(Date.now()))}
      value={draft}
      onChange={({ target }) => setDraft(target.value)}
      onBlur={() => commit(draft)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit(draft)
      }}
    />
  )
}
