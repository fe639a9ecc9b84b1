import { useQuery } from '@tanstack/react-query'
import type { Failure } from '@waypost/sdk/answer'
import type { Tracker } from '@waypost/sdk/api'
import { useEffect, useRef, useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { useShortcuts } from '../shell/use-shortcuts.ts'
import { text } from './messages.ts'
import { AddFilter } from './add-filter.tsx'
import styles from './filter-bar.module.css'
import { joinOrder, splitOrder } from './tql/order.ts'
import { toQuery } from './tql/plain-words.ts'
import { addTerm, joinTerms, splitTerms } from './tql/terms.ts'
import { describeTerm } from './tql/describe-term.ts'
import { type QueryFault, TqlInput } from './tql-input.tsx'

/** Validate after typing has paused. */
const DEBOUNCE_MS = 400

interface Props {
  tracker: Tracker
  query: string
  /** The refusal of the query by the server. */
  failure: Failure | undefined
  onChange: (query: string) => void
}

/** Condition chips and the TQL query that they form; both are editable. */
export function FilterBar({ tracker, query, failure, onChange }: Props) {
  const [draft, setDraft] = useState(query)
  const [isAdding, setAdding] = useState(false)
  useEffect(() => setDraft(query), [query])
  const bar = useRef<HTMLElement>(null)
  useShortcuts({ f: () => bar.current?.querySelector<HTMLInputElement>('[role="combobox"]')?.focus() })
  const { where, order } = splitOrder(query)
  const terms = splitTerms(where) ?? [where]
  const isApplied = draft === query
  const checked = useFaultsOf(tracker.id, isApplied ? '' : toQuery(draft, tracker))
  const apply = (typed: string) => onChange(toQuery(typed, tracker))
  const put = (next: string) => onChange(joinOrder({ where: next, order }))
  return (
    <search ref={bar} className={styles['bar']} aria-label={text('filter.title')}>
      <div className={styles['chips']}>
        {terms.map((term, index) => {
          const words = describeTerm(term, tracker)
          return (
            <span key={`${index} ${term}`} className={styles['chip']} title={term}>
              {words}
              <Button
                kind="quiet"
                aria-label={text('filter.remove', { term: words })}
                onPress={() => put(joinTerms(terms.toSpliced(index, 1)))}
              >
                <span aria-hidden>×</span>
              </Button>
            </span>
          )
        })}
        <Button onPress={() => setAdding(true)}>{text('filter.add')}</Button>
      </div>
      <div className={styles['line']}>
        <TqlInput
          tracker={tracker}
          value={draft}
          faults={isApplied ? faultsOf(failure) : checked}
          onChange={setDraft}
          onApply={apply}
        />
        <Button kind={isApplied ? 'plain' : 'primary'} isDisabled={isApplied} onPress={() => apply(draft)}>
          {text('filter.apply')}
        </Button>
      </div>
      {isAdding && (
        <AddFilter
          tracker={tracker}
          onAdd={(term) => {
            put(addTerm(where, term))
            setAdding(false)
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </search>
  )
}

/** The errors that the server finds in the query. */
function useFaultsOf(tracker: number, draft: string): readonly QueryFault[] {
  const [asked, setAsked] = useState(draft)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(draft), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [draft])
  const { data } = useQuery({
    queryKey: ['trackers', tracker, 'check', asked],
    enabled: asked !== '' && asked === draft,
    queryFn: async () => {
      const query = { expert_query: asked, explain: true }
      const answer = await api.call('GET /trackers/{id}/artifacts', { path: { id: tracker }, query })
      return answer.ok ? [] : faultsOf(answer)
    },
  })
  return asked === draft ? (data ?? []) : []
}

/** True if the refusal is about the query. */
export function isOfQuery(failure: Failure | undefined): boolean {
  return failure?.status === 400
}

function faultsOf(failure: Failure | undefined): readonly QueryFault[] {
  if (!failure || !isOfQuery(failure)) return []
  const { all, position } = failure.details
  return all && all.length > 0 ? all : [{ message: failure.message, ...(position !== undefined && { position }) }]
}
