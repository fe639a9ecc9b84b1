import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './field.module.css'

export interface FieldFrameProps {
  label: string
  hint?: string | undefined
  /** The error message. */
  error?: string | undefined
  /** The label is shown elsewhere, for example above a column; screen readers still get it. */
  isBare?: boolean | undefined
}

/** A label, an input, a hint and an error, connected for screen readers. */
export function TextField({
  label,
  hint,
  error,
  isBare,
  ...input
}: FieldFrameProps & Omit<ComponentProps<'input'>, 'className'>) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} isBare={isBare}>
      <input
        dir="auto"
        {...input}
        id={id}
        className={styles['input']}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, hint, error)}
      />
    </FieldFrame>
  )
}

/** A multi-line input that grows with its content. */
export function LongTextField({
  label,
  hint,
  error,
  isBare,
  ...input
}: FieldFrameProps & Omit<ComponentProps<'textarea'>, 'className'>) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} isBare={isBare}>
      <textarea
        dir="auto"
        {...input}
        id={id}
        className={`${styles['input']} ${styles['long']}`}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, hint, error)}
      />
    </FieldFrame>
  )
}

interface FieldFrameOwnProps extends FieldFrameProps {
  id: string
  /** Called on a click on the label, for content that a label cannot focus. */
  onPress?: () => void
  children: ReactNode
}

/** The label above a field, and its hint and error below. */
export function FieldFrame({ id, label, hint, error, isBare, onPress, children }: FieldFrameOwnProps) {
  return (
    <div className={styles['field']}>
      <Label id={id} label={label} isBare={isBare} onPress={onPress} />
      {children}
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
}: FieldFrameProps & {
  value: V
  options: readonly { value: V; label: string }[]
  autoFocus?: boolean | undefined
  onChange: (value: V) => void
}) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} isBare={isBare}>
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
    </FieldFrame>
  )
}

export function ChoiceGroup({ label, hint, error, isBare, children }: FieldFrameProps & { children: ReactNode }) {
  const id = useId()
  return (
    <fieldset className={styles['group']} aria-describedby={describedBy(id, hint, error)}>
      <legend className={isBare ? styles['unseen'] : undefined}>{label}</legend>
      {children}
      <Notes id={id} hint={hint} error={error} />
    </fieldset>
  )
}

export function ChoiceInput({ label, hint, ...input }: FieldFrameProps & Omit<ComponentProps<'input'>, 'className'>) {
  const id = useId()
  return (
    <label className={styles['choice']} htmlFor={id}>
      <input type="checkbox" {...input} id={id} aria-describedby={describedBy(id, hint)} />
      <span>{label}</span>
      <Notes id={id} hint={hint} />
    </label>
  )
}

interface RadioGroupProps<T extends string> {
  readonly label: string
  readonly name: string
  readonly values: readonly T[]
  readonly chosen: T
  readonly labelOf: (value: T) => string
  readonly hintOf?: (value: T) => string
  readonly onChoose: (value: T) => void
}

/** A short list of which one value is chosen. */
export function RadioGroup<T extends string>({
  label,
  name,
  values,
  chosen,
  labelOf,
  hintOf,
  onChoose,
}: RadioGroupProps<T>) {
  return (
    <ChoiceGroup label={label}>
      {values.map((value) => (
        <ChoiceInput
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

interface LabelProps {
  id: string
  label: string
  isBare: boolean | undefined
  onPress?: (() => void) | undefined
}

function Label({ id, label, isBare, onPress }: LabelProps) {
  return (
    <label className={isBare ? styles['unseen'] : styles['label']} htmlFor={id} onClick={onPress}>
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
