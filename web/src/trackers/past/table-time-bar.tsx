import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Refusal } from '@waypost/sdk/answer'
import type { Tracker } from '@waypost/sdk/api'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { PastBanner, PastSteps } from '../../artifacts/past/past-banner.tsx'
import { locale } from '../../messages/language.ts'
import { showRefusal } from '../../shell/show-refusal.ts'
import { useShortcuts } from '../../shell/use-shortcuts.ts'
import { changeCountsQuery, loadNextChange } from './change-counts.ts'
import { text } from './messages.ts'
import { toAddressMoment } from './moment.ts'
import { MomentInput } from './moment-input.tsx'
import styles from './table-time-bar.module.css'

interface Props {
  readonly tracker: Pick<Tracker, 'id' | 'label'>
  readonly at: string
}

const full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' })
const short = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
/** The table follows the slider when it rests. */
const SLIDER_DELAY_MS = 250

/** Tells that the table shows an earlier state, and moves through the history of the tracker. */
export function TableTimeBar({ tracker, at }: Props) {
  const navigate = useNavigate({ from: '/trackers/$id' })
  const { data: changes } = useQuery(changeCountsQuery(tracker.id))
  const [dragged, setDragged] = useState<number>()
  const isSearching = useRef(false)
  const shown = dragged ?? Date.parse(at)
  const first = changes?.from ? Date.parse(changes.from) : shown
  const end = Math.max(changes ? Date.parse(changes.to) : shown, first)
  const last = changes?.last ? Date.parse(changes.last) : end
  const go = (moment: string | undefined) => {
    setDragged(undefined)
    void navigate({ search: (before) => ({ ...before, at: moment }), replace: true, resetScroll: false })
  }
  const leave = () => go(undefined)
  const step = async (by: -1 | 1) => {
    if (isSearching.current) return
    isSearching.current = true
    try {
      const moment = await loadNextChange(tracker.id, toAddressMoment(shown), by)
      if (moment !== undefined) go(moment)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      showRefusal(error.failure)
    } finally {
      isSearching.current = false
    }
  }
  useEffect(() => {
    if (dragged === undefined) return undefined
    const timer = setTimeout(() => go(toAddressMoment(dragged)), SLIDER_DELAY_MS)
    return () => clearTimeout(timer)
  }, [dragged])
  useShortcuts({ ArrowLeft: () => void step(-1), ArrowRight: () => void step(1), Escape: leave })
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') leave()
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault() // The native step would be a second.
    void step(event.key === 'ArrowLeft' ? -1 : 1)
  }
  const when = full.format(shown)
  const most = Math.max(1, ...(changes?.steps ?? []))
  return (
    <PastBanner
      headline={text('past.table', { tracker: tracker.label, when })}
      note={`${text('past.read_only')} ${text('past.table_note')}`}
      onLeave={leave}
    >
      <MomentInput at={toAddressMoment(shown)} onGo={go} />
      <div className={styles['track']}>
        <div aria-hidden className={styles['histogram']}>
          {changes?.steps.map((count, index) => (
            <i key={index} data-some={count > 0} style={{ height: `${(Math.sqrt(count / most) * 100).toFixed(1)}%` }} />
          ))}
        </div>
        <input
          type="range"
          min={first}
          max={end}
          step={1_000}
          value={Math.min(end, Math.max(first, shown))}
          aria-label={text('past.moment')}
          aria-valuetext={when}
          onChange={({ target }) => setDragged(Number(target.value))}
          onKeyDown={press}
        />
        <div aria-hidden className={styles['ends']}>
          <span>{changes?.from && short.format(first)}</span>
          <span>{text('past.today')}</span>
        </div>
      </div>
      <PastSteps isFirst={shown <= first} isLast={shown >= last} onStep={(by) => void step(by)} />
    </PastBanner>
  )
}
