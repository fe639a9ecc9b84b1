import type { Failure } from '@waypost/sdk/answer'
import type { Tracker } from '@waypost/sdk/api'
import { useEffect, useState } from 'react'
import { Button } from '../design/button.tsx'
import { HelpLink } from '../help/help-link.tsx'
import { text } from './messages.ts'
import styles from './filter-bar.module.css'
import { queryFaults, useQueryFaults } from './query-faults.ts'
import { toQuery } from './tql/plain-words.ts'
import { TqlInput } from './tql-input.tsx'

interface Props {
  tracker: Tracker
  query: string
  /** The refusal of the query by the server. */
  failure: Failure | undefined
  onChange: (query: string) => void
}

/** The filter and the order as one query. */
export function QueryLine({ tracker, query, failure, onChange }: Props) {
  const [draft, setDraft] = useState(query)
  useEffect(() => setDraft(query), [query])
  const isApplied = draft === query
  const checked = useQueryFaults(tracker.id, isApplied ? '' : toQuery(draft, tracker))
  const apply = (typed: string) => onChange(toQuery(typed, tracker))
  return (
    <div className={styles['line']} data-query>
      <TqlInput
        tracker={tracker}
        value={draft}
        faults={isApplied ? queryFaults(failure) : checked}
        onChange={setDraft}
        onApply={apply}
      />
      <Button kind={isApplied ? 'plain' : 'primary'} isDisabled={isApplied} onPress={() => apply(draft)}>
        {text('filter.apply')}
      </Button>
      <HelpLink topic="queries" />
    </div>
  )
}
