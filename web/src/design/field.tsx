import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './field.module.css'

interface Described {
  label: string
  hint?: string | undefined
  /** What is wrong with it. */
  error?: string | undefined
  /** The name stands elsewhere, as above a column; who hears the page hears it here too. */
  isBare?: boolean | undefined
}

/** A label, an input and what is to be said about it, tied together for those who hear the page. */
export function TextField({
  label,
  hint,
  error,
  isBare,
  ...input
}: Described & Omit<ComponentProps<'input'>, 'className'>) {
  const id = useId()
  return (
    <div className={styles['field']}>
      <Label id={id} label={label} isBare={isBare} />
      <input
        {...input}
        id={id}
        className={styles['input']}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, hint, error)}
      />
      <Notes id={id} hint={hint} error={error} />
    </div>
  )
}

/** The same for many lines. It grows with what is typed. */
export function LongTextField({
  label,
  hint,
  error,
  isBare,
  ...input
}: Described & Omit<ComponentProps<'textarea'>, 'className'>) {
  const id = useId()
  return (
    <div className={styles['field']}>
      <Label id={id} label={label} isBare={isBare} />
      <textarea
        {...input}
        id={id}
        className={`${styles['input']} ${styles['long']}`}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, hint, error)}
      />
      <Notes id={id} hint={hint} error={error} />
    </div>
  )
}

export function SelectField<V extends string | number>({
  label,
  hint,
  error,
  isBare,
  autoFocus,
  value,
  options,
  onChange,
}: Described & {
  value: V
  options: readonly { value: V; label: string }[]
  autoFocus?: boolean | undefined
  onChange: (value: V) => void
}) {
  const id = useId()
  return (
    <div className={styles['field']}>
      <Label id={id} label={label} isBare={isBare} />
      <select
        id={id}
        className={styles['input']}
        value={value}
        autoFocus={autoFocus}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, hint, error)}
        onChange={({ target }) => {
          const chosen = options[target.selectedIndex]
          if (chosen) onChange(chosen.value)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Notes id={id} hint={hint} error={error} />
    </div>
  )
}

export function ChoiceGroup({ label, hint, error, isBare, children }: Described & { children: ReactNode }) {
  const id = useId()
  return (
    <fieldset className={styles['group']} aria-describedby={describedBy(id, hint, error)}>
      <legend className={isBare ? styles['unseen'] : undefined}>{label}</legend>
      {children}
      <Notes id={id} hint={hint} error={error} />
    </fieldset>
  )
}

export function Choice({ label, hint, ...input }: Described & Omit<ComponentProps<'input'>, 'className'>) {
  const id = useId()
  return (
    <label className={styles['choice']} htmlFor={id}>
      <input type="checkbox" {...input} id={id} aria-describedby={describedBy(id, hint)} />
      <span>{label}</span>
      <Notes id={id} hint={hint} />
    </label>
  )
}

interface OneOfProps<T extends string> {
  readonly label: string
  readonly name: string
  readonly values: readonly T[]
  readonly chosen: T
  readonly labelOf: (value: T) => string
  readonly hintOf?: (value: T) => string
  readonly onChoose: (value: T) => void
}

/** Few values, all of them in sight, of which one is chosen. */
export function OneOf<T extends string>({ label, name, values, chosen, labelOf, hintOf, onChoose }: OneOfProps<T>) {
  return (
    <ChoiceGroup label={label}>
      {values.map((value) => (
        <Choice
          key={value}
          type="radio"
          name={name}
          label={labelOf(value)}
          hint={hintOf?.(value)}
          checked={chosen === value}
          onChange={() => onChoose(value)}
        />
      ))}
    </ChoiceGroup>
  )
}

function Label({ id, label, isBare }: { id: string; label: string; isBare: boolean | undefined }) {
  return (
    <label className={isBare ? styles['unseen'] : styles['label']} htmlFor={id}>
      {label}
    </label>
  )
}

export function Notes({ id, hint, error }: { id: string; hint?: string | undefined; error?: string | undefined }) {
  return (
    <>
      {hint !== undefined && (
        <span className={styles['hint']} id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span className={styles['error']} id={`${id}-error`}>
          {error}
        </span>
      )}
    </>
  )
}

export function describedBy(id: string, hint?: string, error?: string): string | undefined {
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])]
  return ids.length === 0 ? undefined : ids.join(' ')
}
