import { useId, useState } from 'react'
import { ComboBox } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { describedBy, Notes } from '../design/field.tsx'
import { text } from './words.ts'
import type { ChoiceKey } from './choices.ts'
import styles from './pick.module.css'

export interface Pickable {
  readonly key: ChoiceKey
  readonly label: string
  readonly detail?: string | undefined
}

interface Props {
  readonly label: string
  readonly chosen: readonly Pickable[]
  /** What can be chosen as well; what has been typed is looked for in it, unless `onTyped` does that. */
  readonly options: readonly Pickable[]
  readonly onTyped?: (typed: string) => void
  readonly onAdd: (picked: Pickable) => void
  readonly onRemove: (key: ChoiceKey) => void
  /** What is typed may be a value that nobody has used yet. */
  readonly onNew?: (label: string) => void
  readonly placeholder?: string | undefined
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly isBare?: boolean | undefined
  readonly autoFocus?: boolean | undefined
}

const NEW = 'new value'
const SHOWN = 50

/** What is chosen, each with a way to take it out, and a field that finds more of it. */
export function Pick({ label, chosen, options, onTyped, onAdd, onRemove, onNew, ...shown }: Props) {
  const { placeholder = text('pick.search'), hint, error, isBare = false, autoFocus = false } = shown
  const id = useId()
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
  const offered = isNew ? [...items, { id: NEW, key: NEW, label: text('pick.new', { label: fresh }) }] : items
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
      <ComboBox
        aria-label={label}
        {...(notes !== undefined && { 'aria-describedby': notes })}
        items={offered}
        inputValue={typed}
        onInputChange={type}
        value={null}
        menuTrigger="focus"
        allowsEmptyCollection
        isInvalid={error !== undefined}
        onChange={(key) => {
          if (key === null) return
          const picked = offered.find((each) => each.id === key)
          if (picked?.key === NEW) onNew?.(fresh)
          else if (picked) onAdd(picked)
          type('')
        }}
      >
        <Input
          className={String(styles['input'])}
          placeholder={placeholder}
          autoFocus={autoFocus}
          onKeyDown={({ key }) => {
            const last = chosen.at(-1)
            if (key === 'Backspace' && typed === '' && last) onRemove(last.key)
          }}
        />
        <Popover className={String(styles['popover'])}>
          <ListBox
            className={String(styles['list'])}
            renderEmptyState={() => <p className={styles['nothing']}>{text('pick.nothing')}</p>}
          >
            {(each: (typeof offered)[number]) => (
              <ListBoxItem id={each.id} textValue={each.label} className={String(styles['option'])}>
                <span>{each.label}</span>
                {each.detail !== undefined && <small>{each.detail}</small>}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
      <Notes id={id} hint={hint} error={error} />
    </div>
  )
}

/** Those that are not chosen yet, and have all words that were typed. */
function found(options: readonly Pickable[], chosen: readonly Pickable[], typed: string): readonly Pickable[] {
  const words = typed.toLowerCase().split(/\s+/)
  const isChosen = new Set(chosen.map(({ key }) => String(key)))
  return options
    .filter(({ key, label }) => !isChosen.has(String(key)) && words.every((word) => label.toLowerCase().includes(word)))
    .slice(0, SHOWN)
}
