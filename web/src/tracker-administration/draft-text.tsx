import { useEffect, useState } from 'react'
import { LongTextField, TextField } from '../design/field.tsx'

interface Props {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly isLong?: boolean
  /** An empty input is reset. */
  readonly isRequired?: boolean
  readonly onCommit: (value: string) => void
}

/** A text of the draft. Leaving the input is one change, not every letter. */
export function DraftText({ label, hint, value, isLong = false, isRequired = false, onCommit }: Props) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const commit = () => {
    const given = typed.trim()
    if (given === value || (given === '' && isRequired)) setTyped(value)
    else onCommit(given)
  }
  const input = { label, hint, value: typed, onBlur: commit }
  return isLong ? (
    <LongTextField {...input} onChange={({ target }) => setTyped(target.value)} />
  ) : (
    <TextField
      {...input}
      autoComplete="off"
      maxLength={255}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit()
      }}
    />
  )
}
