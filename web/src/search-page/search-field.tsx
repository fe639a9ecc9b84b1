import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useDebounced } from '../artifacts/use-debounced.ts'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { text } from '../search/messages.ts'
import styles from './search-page.module.css'

interface Props {
  /** The words of the address. */
  readonly words: string
  readonly onWords: (words: string) => void
  /** Leaves the field for the hits. */
  readonly onDown: () => void
}

/** The words, which change the address when typing pauses. */
export function SearchField({ words, onWords, onDown }: Props) {
  const [typed, setTyped] = useState(words)
  const asked = useDebounced(typed)
  const sent = useRef(words)
  const field = useRef<HTMLInputElement>(null)
  const send = (given: string) => {
    sent.current = given
    if (given !== words) onWords(given)
  }
  useEffect(() => {
    if (asked === typed && asked.trim() !== sent.current) send(asked.trim())
  }, [asked])
  // The address was changed elsewhere: by the palette, or by going back.
  useEffect(() => {
    if (words === sent.current) return
    sent.current = words
    setTyped(words)
  }, [words])
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') send(typed.trim())
    else if (event.key === 'ArrowDown') onDown()
    else return
    event.preventDefault()
  }
  return (
    <div className={styles['field']} role="search">
      <Icon of={Search} />
      <input
        ref={field}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label={text('search.words')}
        placeholder={text('search.words')}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        dir="auto"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={press}
      />
      {typed !== '' && (
        <Button
          kind="icon"
          aria-label={text('search.clear')}
          onPress={() => {
            setTyped('')
            send('')
            field.current?.focus()
          }}
        >
          <Icon of={X} />
        </Button>
      )}
    </div>
  )
}
