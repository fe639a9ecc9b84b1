import { Check, Lock, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { text } from '../messages/text.ts'
import { containsWords } from './fold-text.ts'
import { Icon } from './icon.tsx'
import styles from './pick-list.module.css'

export interface PickOption {
  readonly id: string
  readonly label: string
  /** The colour, person or bars before the label. */
  readonly mark?: ReactNode
  /** Why it cannot be picked, and who may; it stays visible. */
  readonly whyNot?: string | undefined
  /** A condition of picking it. */
  readonly note?: string | undefined
}

interface Props {
  readonly label: string
  readonly placeholder: string
  readonly options: readonly PickOption[]
  readonly chosen: readonly string[]
  /** Several can be chosen: Space or a click toggles, Enter applies. */
  readonly isMany?: boolean
  /** The menu of a button: a short list shows the search field once words are typed. */
  readonly isMenu?: boolean
  /** Set if the options depend on the typed words; else they are filtered here. */
  readonly onTyped?: (typed: string) => void
  readonly onPick: (ids: readonly string[]) => void
  /** Called on each toggle of a list of many, so that closing can apply it. */
  readonly onToggled?: (ids: readonly string[]) => void
}

/** Options from the first to this one have a digit as key. */
const MAX_NUMBERED = 9
/** A menu of up to so many options has no search field until words are typed. */
const MAX_WITHOUT_SEARCH = 9

/** A search field with a list below. The focus stays in the field; arrow keys move through the list. */
export function PickList(props: Props) {
  const { label, placeholder, options, isMany = false, isMenu = false, onTyped, onPick, onToggled } = props
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(props.chosen)
  const [isChanged, setChanged] = useState(false)
  const [asked, setActive] = useState<string>()
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const shown = onTyped ? options : options.filter((option) => containsWords(option.label, typed))
  const usual = shown.find((option) => option.whyNot === undefined && (typed !== '' || chosen.includes(option.id)))
  const active = shown.find((option) => option.id === asked) ?? usual ?? shown[0]
  // Digits pick only if no label begins with one: they would be words to search for.
  const hasNumbers =
    !onTyped && !isMany && !isMenu && typed === '' && !options.some((option) => /^\d/.test(option.label))
  const isSearchHidden = isMenu && typed === '' && options.length <= MAX_WITHOUT_SEARCH
  const activeIndex = active ? shown.indexOf(active) : -1
  useEffect(() => {
    list.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [activeIndex])

  const toggled = (option: PickOption) =>
    chosen.includes(option.id) ? chosen.filter((each) => each !== option.id) : [...chosen, option.id]
  const toggle = (option: PickOption) => {
    const next = toggled(option)
    setChosen(next)
    setChanged(true)
    onToggled?.(next)
  }
  const pick = (option: PickOption) => {
    if (option.whyNot !== undefined) return
    if (isMany) toggle(option)
    else onPick([option.id])
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const numbered = /^[1-9]$/.test(event.key) ? shown[Number(event.key) - 1] : undefined
    if (step !== undefined) setActive(shown[(activeIndex + step + shown.length) % shown.length]?.id)
    else if (event.key === ' ' && isMany && typed === '' && active) pick(active)
    else if (event.key === 'Enter' && isMany) apply()
    else if (event.key === 'Enter' && active) pick(active)
    else if (hasNumbers && numbered) pick(numbered)
    else return
    event.preventDefault()
  }
  const apply = () => onPick(isChanged || !active || active.whyNot !== undefined ? chosen : toggled(active))
  return (
    <div className={styles['picker']}>
      <div className={styles['find']} data-hidden={isSearchHidden}>
        <Icon of={Search} />
        <input
          role="combobox"
          aria-label={label}
          aria-expanded
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={activeIndex < 0 ? undefined : `${id}-${activeIndex}`}
          autoFocus
          // A short menu does not open the keyboard of a phone.
          inputMode={isSearchHidden ? 'none' : 'text'}
          placeholder={placeholder}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setActive(undefined)
            onTyped?.(target.value)
          }}
          onKeyDown={press}
        />
      </div>
      <ul ref={list} id={id} role="listbox" aria-label={label} aria-multiselectable={isMany} className={styles['list']}>
        {shown.map((option, index) => (
          <li
            key={option.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={chosen.includes(option.id)}
            aria-disabled={option.whyNot !== undefined}
            data-active={index === activeIndex}
            className={styles['option']}
            onPointerMove={() => setActive(option.id)}
            onClick={() => pick(option)}
          >
            {option.mark}
            <span className={styles['lines']}>
              <span className={styles['label']}>{option.label}</span>
              {(option.whyNot ?? option.note) !== undefined && <small>{option.whyNot ?? option.note}</small>}
            </span>
            {option.whyNot !== undefined && <Icon of={Lock} size={14} />}
            {chosen.includes(option.id) && <Icon of={Check} />}
            {hasNumbers && index < MAX_NUMBERED && <kbd aria-hidden>{index + 1}</kbd>}
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className={styles['nothing']}>{text('pick.none')}</p>}
      {isMany && <p className={styles['foot']}>{text('pick.keys')}</p>}
    </div>
  )
}
