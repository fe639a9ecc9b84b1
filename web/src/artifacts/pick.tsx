import { type ComponentType, useEffect, useId, useState } from 'react'
import { describedBy, Notes } from '../design/field.tsx'
import { containsWords } from '../design/fold-text.ts'
import { text } from './messages.ts'
import type { ChoiceKey } from './choices.ts'
import styles from './pick.module.css'
import type { Pickable, PickSearchProps } from './pick-search.tsx'

interface Props {
  readonly label: string
  readonly chosen: readonly Pickable[]
  /** The available options. They are filtered by the typed text, unless `onTyped` does that. */
  readonly options: readonly Pickable[]
  readonly onTyped?: (typed: string) => void
  readonly onAdd: (picked: Pickable) => void
  readonly onRemove: (key: ChoiceKey) => void
  /** Allows the typed text as a new value. */
  readonly onNew?: (label: string) => void
  readonly placeholder?: string | undefined
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly isBare?: boolean | undefined
  readonly autoFocus?: boolean | undefined
}

let loaded: ComponentType<PickSearchProps> | undefined

/** The search field is large, so it is loaded on demand. Pages with editors provide it with their own scripts. */
export function providePickSearch(search: ComponentType<PickSearchProps>): void {
  loaded = search
}

function usePickSearch(): ComponentType<PickSearchProps> | undefined {
  const [search, setSearch] = useState(() => loaded)
  useEffect(() => {
    if (search) return
    import('./pick-search.tsx').then(
      ({ PickSearch }) => setSearch(() => PickSearch),
      () => undefined, // Chosen options can still be removed.
    )
  }, [search])
  return search
}

const NEW_VALUE_KEY = 'new value'
const MAX_SHOWN_OPTIONS = 50

/** A multi-select: chosen options with a remove button, and a search field for more. */
export function Pick({ label, chosen, options, onTyped, onAdd, onRemove, onNew, ...shown }: Props) {
  const { placeholder = text('pick.search'), hint, error, isBare = false, autoFocus = false } = shown
  const id = useId()
  const Search = usePickSearch()
  const [typed, setTyped] = useState('')
  const notes = describedBy(id, hint, error)
  const type = (now: string) => {
    setTyped(now)
    onTyped?.(now)
  }
  const items = found(options, chosen, onTyped ? '' : typed).map(({ key, ...rest }) => ({
    id: String(key),
    key,
    ...rest,
  }))
  const fresh = typed.trim()
  const isNew = onNew !== undefined && fresh !== '' && ![...items, ...chosen].some((each) => each.label === fresh)
  const offered = isNew
    ? [...items, { id: NEW_VALUE_KEY, key: NEW_VALUE_KEY, label: text('pick.new', { label: fresh }) }]
    : items
  return (
    <div className={styles['field']}>
      {!isBare && (
        <span className={styles['label']} aria-hidden>
          {label}
        </span>
      )}
      {chosen.length > 0 && (
        <ul className={styles['chips']} aria-label={text('pick.chosen', { label })}>
          {chosen.map((each) => (
            <li key={each.key} className={styles['chip']}>
              {each.label}
              <button
                type="button"
                aria-label={text('pick.remove', { label: each.label })}
                onClick={() => onRemove(each.key)}
              >
                <span aria-hidden>×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {Search && (
        <Search
          label={label}
          notes={notes}
          isInvalid={error !== undefined}
          placeholder={placeholder}
          autoFocus={autoFocus}
          typed={typed}
          offered={offered}
          onType={type}
          onPick={(picked) => {
            if (picked.key === NEW_VALUE_KEY) onNew?.(fresh)
            else onAdd(picked)
          }}
          onBackspace={() => {
            const last = chosen.at(-1)
            if (last) onRemove(last.key)
          }}
        />
      )}
      <Notes id={id} hint={hint} error={error} />
    </div>
  )
}

/** Options that are not chosen and contain all typed words. */
function found(options: readonly Pickable[], chosen: readonly Pickable[], typed: string): readonly Pickable[] {
  const isChosen = new Set(chosen.map(({ key }) => String(key)))
  return options
    .filter(({ key, label }) => !isChosen.has(String(key)) && containsWords(label, typed))
    .slice(0, MAX_SHOWN_OPTIONS)
}
