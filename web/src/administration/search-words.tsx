import { useEffect, useState } from 'react'
import { TextField } from '../design/field.tsx'

interface Props {
  readonly label: string
  readonly hint?: string
  /** The words from the address. */
  readonly words: string
}

/** The search field. It keeps the focus when the address changes. */
export function SearchWords({ label, hint, words }: Props) {
  const [typed, setTyped] = useState(words)
  useEffect(() => setTyped(words), [words])
  return (
    <TextField
      label={label}
      hint={hint}
      name="q"
      type="search"
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}
