import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'
import styles from './radio-cards.module.css'

export interface RadioCard<T extends string | number> {
  readonly value: T
  readonly label: string
  readonly hint: string
  /** An icon, or the mark of a project or tracker. */
  readonly icon?: LucideIcon
  readonly mark?: ReactNode
}

interface Props<T extends string | number> {
  readonly label: string
  readonly name: string
  readonly cards: readonly RadioCard<T>[]
  readonly chosen: T
  readonly onChoose: (value: T) => void
}

/** A choice whose values each need an explanation. */
export function RadioCards<T extends string | number>({ label, name, cards, chosen, onChoose }: Props<T>) {
  const id = useId()
  return (
    <fieldset className={styles['group']}>
      <legend>{label}</legend>
      <div className={styles['cards']}>
        {cards.map(({ value, label: title, hint, icon, mark }) => (
          <label key={value} className={styles['card']}>
            <input
              type="radio"
              name={name}
              checked={chosen === value}
              aria-label={title}
              aria-describedby={`${id}-${value}`}
              onChange={() => onChoose(value)}
            />
            <span className={styles['title']}>
              {icon ? <Icon of={icon} /> : mark}
              {title}
            </span>
            <span id={`${id}-${value}`} className={styles['hint']}>
              {hint}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
