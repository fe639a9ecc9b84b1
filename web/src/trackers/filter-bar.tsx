import type { Failure } from '@waypost/sdk/answer'
import type { Tracker } from '@waypost/sdk/api'
import { Code, ListFilter, Settings2, SlidersHorizontal, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Icon } from '../design/icon.tsx'
import { lazyPart } from '../design/lazy-part.tsx'
import { useIsCompact, useIsNarrow } from '../shell/use-is-narrow.ts'
import { useShortcuts } from '../shell/use-shortcuts.ts'
import { text } from './messages.ts'
import styles from './filter-bar.module.css'
import { isOfQuery } from './query-faults.ts'
import { QueryLine } from './query-line.tsx'
import { joinOrder, splitOrder } from './tql/order.ts'
import { addTerm, joinTerms, splitTerms } from './tql/terms.ts'
import { describeTerm } from './tql/describe-term.ts'

const AddFilter = lazyPart(async () => (await import('./add-filter.tsx')).AddFilter, {
  close: ({ onClose }) => onClose(),
})

interface Props {
  tracker: Tracker
  query: string
  /** The refusal of the query by the server. */
  failure: Failure | undefined
  onChange: (query: string) => void
  /** Before the filters: the open view. */
  start?: ReactNode
  /** The number of rows, or the actions for the selected ones. */
  count?: ReactNode
  /** The other controls of the view. Without room for them they are behind one button. */
  children?: ReactNode
  /** Visible at the end of the row, except on a phone. */
  end?: ReactNode
}

/** One row of controls: the view, the filters as chips, and the other controls; on a phone they are in a sheet. */
export function FilterBar(props: Props) {
  const { tracker, query, failure, onChange, start, count, children, end } = props
  const isNarrow = useIsNarrow()
  const isCompact = useIsCompact()
  const isFolded = isCompact && children !== undefined
  const [isDisplayShown, setDisplayShown] = useState(false)
  const [isSheet, setSheet] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const wantsFocus = useRef(false)
  const shownTerms = termsOf(query).filter((term) => !isAlwaysTrue(term))
  const isQueryShown = isAsked || isOfQuery(failure)
  const focusQuery = () => {
    const input = wantsFocus.current && document.querySelector<HTMLElement>('[data-query] [role="combobox"]')
    if (!input) return
    wantsFocus.current = false
    input.focus()
  }
  useEffect(focusQuery)
  useShortcuts({
    f: () => {
      wantsFocus.current = true
      setAsked(true)
      setSheet(isNarrow)
      focusQuery()
    },
  })
  const filters = (
    <>
      <Filters tracker={tracker} query={query} onChange={onChange} />
      <Button
        kind="icon"
        aria-pressed={isQueryShown}
        aria-label={text('filter.query')}
        onPress={() => {
          wantsFocus.current = !isQueryShown
          setAsked(!isQueryShown)
        }}
      >
        <Icon of={Code} />
      </Button>
    </>
  )
  const line = isQueryShown && <QueryLine {...{ tracker, query, failure, onChange }} />
  return (
    <search className={styles['bar']} aria-label={text('filter.title')}>
      <div className={styles['tools']}>
        {start}
        {isNarrow ? (
          <Button onPress={() => setSheet(true)}>
            <Icon of={SlidersHorizontal} />
            {text('filter.sheet', { count: shownTerms.length })}
          </Button>
        ) : (
          filters
        )}
        <div className={styles['count']}>{count}</div>
        {!isNarrow && !isFolded && children}
        {!isNarrow && isFolded && (
          <Button aria-expanded={isDisplayShown} onPress={() => setDisplayShown(!isDisplayShown)}>
            <Icon of={Settings2} />
            {text('table.display')}
          </Button>
        )}
        {!isNarrow && end}
      </div>
      {!isNarrow && isFolded && isDisplayShown && (
        <div role="group" aria-label={text('table.display')} className={styles['display']}>
          {children}
        </div>
      )}
      {!isNarrow && line}
      {isNarrow && isSheet && (
        <Dialog title={text('filter.sheet_title')} onClose={() => setSheet(false)}>
          <div className={styles['sheet']}>
            {filters}
            {line}
            {children}
            {end}
          </div>
          <DialogActions>
            <Button kind="primary" onPress={() => setSheet(false)}>
              {text('close')}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </search>
  )
}

function termsOf(query: string): readonly string[] {
  const { where } = splitOrder(query)
  return splitTerms(where) ?? [where]
}

/** A condition that no artifact fails is not shown. */
function isAlwaysTrue(term: string): boolean {
  return /^@id\s*(?:>\s*0|>=\s*[01])$/.test(term)
}

/** The conditions as chips, and the form for another one. */
function Filters({ tracker, query, onChange }: Pick<Props, 'tracker' | 'query' | 'onChange'>) {
  const [isAdding, setAdding] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const { where, order } = splitOrder(query)
  const terms = termsOf(query)
  const put = (next: string) => onChange(joinOrder({ where: next, order }))
  return (
    <div className={styles['chips']}>
      {terms.map((term, index) => {
        if (isAlwaysTrue(term)) return null
        const words = describeTerm(term, tracker)
        return (
          <span key={`${index} ${term}`} className={styles['chip']} title={term}>
            <span>{words}</span>
            <Button
              kind="quiet"
              aria-label={text('filter.remove', { term: words })}
              onPress={() => put(joinTerms(terms.toSpliced(index, 1)))}
            >
              <Icon of={X} size={14} />
            </Button>
          </span>
        )
      })}
      <Button ref={anchor} kind="quiet" onPress={() => setAdding(true)}>
        <Icon of={ListFilter} />
        {text('filter.title')}
      </Button>
      {isAdding && (
        <AddFilter
          tracker={tracker}
          anchor={anchor}
          onAdd={(term) => {
            put(addTerm(where, term))
            setAdding(false)
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  )
}
