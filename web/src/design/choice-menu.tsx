import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Button, type ButtonKind } from './button.tsx'
import styles from './choice-menu.module.css'
import { Icon } from './icon.tsx'
import { lazyPart } from './lazy-part.tsx'
import type { PickOption } from './pick-list.tsx'

const ChoiceList = lazyPart(async () => (await import('./choice-list.tsx')).ChoiceList, {
  close: ({ onClose }) => onClose(),
})

interface Props<V extends string | number> {
  readonly label: string
  /** Only screen readers get the label. */
  readonly isBare?: boolean
  /** Without a border, as the controls of a toolbar. */
  readonly isQuiet?: boolean
  /** Takes the whole width. */
  readonly isWide?: boolean
  readonly hint?: string | undefined
  readonly value: V
  readonly options: readonly ({ readonly value: V } & Pick<PickOption, 'label' | 'note' | 'whyNot'>)[]
  /** Stands in the button instead of the chosen value; the label is its name. */
  readonly face?: { readonly kind: ButtonKind; readonly content: ReactNode }
  readonly onChange: (value: V) => void
}

/** A button that names the chosen value, and the list of values below it. Forms use `SelectField`. */
export function ChoiceMenu<V extends string | number>(props: Props<V>) {
  const { label, isBare = false, isQuiet = false, isWide = false, hint, value, options, face, onChange } = props
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const id = useId()
  const chosen = options.find((option) => option.value === value)
  const pick = (picked: string | undefined) => {
    setOpen(false)
    const next = options.find((option) => String(option.value) === picked)
    if (next && next.value !== value) onChange(next.value)
  }
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    event.stopPropagation()
    setOpen(true)
  }
  return (
    <div className={styles['choice']} data-wide={isWide}>
      <Button
        ref={anchor}
        kind={face?.kind ?? (isQuiet ? 'quiet' : 'plain')}
        {...(face && { 'aria-label': `${label} ${chosen?.label}` })}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        {...(hint !== undefined && { 'aria-describedby': id })}
        onPress={() => setOpen(true)}
        onKeyDown={openByArrow}
      >
        {face ? (
          face.content
        ) : (
          <>
            <span className={isBare ? styles['unseen'] : styles['label']}>{label}</span>{' '}
            <span className={styles['value']} dir="auto">
              {chosen?.label}
            </span>
            <Icon of={ChevronDown} size={12} />
          </>
        )}
      </Button>
      {hint !== undefined && (
        <small id={id} className={styles['hint']}>
          {hint}
        </small>
      )}
      {isOpen && (
        <ChoiceList
          anchor={anchor}
          label={label}
          options={options.map(({ value: key, ...option }) => ({ ...option, id: String(key) }))}
          chosen={String(value)}
          onPick={pick}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
