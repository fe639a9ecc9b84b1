import type { Tracker } from '@waypost/sdk/api'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { text } from './messages.ts'
import styles from './filter-bar.module.css'
import type { QueryFault } from './query-faults.ts'
import { type Completion, completionsAt } from './tql/complete.ts'
import { tokenize } from './tql/tokens.ts'

interface Props {
  tracker: Tracker
  value: string
  faults: readonly QueryFault[]
  onChange: (value: string) => void
  onApply: (value: string) => void
}

/** A TQL input with completion and inline error marks. */
export function TqlInput({ tracker, value, faults, onChange, onApply }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const mirror = useRef<HTMLDivElement>(null)
  /** The caret position to set after a completion was inserted. */
  const placed = useRef<number>(undefined)
  const [caret, setCaret] = useState<number | undefined>()
  const [picked, setPicked] = useState(-1)
  const { from, to, options } =
    caret === undefined ? { from: 0, to: 0, options: [] } : completionsAt(value, caret, tracker)
  const isOpen = options.length > 0
  const close = () => {
    setCaret(undefined)
    setPicked(-1)
  }
  // Keep the marks aligned when a long query scrolls.
  const align = () => {
    if (mirror.current) mirror.current.scrollLeft = input.current?.scrollLeft ?? 0
  }
  useLayoutEffect(() => {
    // Reading `scrollLeft` forces layout; the position changes only while the input has the focus.
    if (document.activeElement === input.current) align()
    if (placed.current !== undefined) input.current?.setSelectionRange(placed.current, placed.current)
    placed.current = undefined
  })
  const open = () => setCaret(input.current?.selectionStart ?? value.length)
  const take = ({ insert }: Completion) => {
    const isTight = insert.endsWith('(') || /[\s),]/.test(value.at(to) ?? '')
    const next = `${value.slice(0, from)}${insert}${isTight ? '' : ' '}`
    onChange(`${next}${value.slice(to)}`)
    setPicked(-1)
    setCaret(next.length)
    placed.current = next.length
  }
  const press = (event: KeyboardEvent) => {
    const option = options[picked]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape' && isOpen) close()
    else if (event.key === ' ' && event.ctrlKey) open()
    else if (step !== undefined && isOpen)
      setPicked((picked + step + options.length + (picked < 0 && step < 0 ? 1 : 0)) % options.length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && isOpen && option) take(option)
    else if (event.key === 'Enter') {
      close()
      onApply(value)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={styles['query']}>
      <label className={styles['label']} htmlFor={id}>
        {text('filter.tql')}
      </label>
      <div className={styles['text']}>
        <div ref={mirror} aria-hidden className={styles['mirror']}>
          {marked(value, faults)}
        </div>
        <input
          ref={input}
          id={id}
          type="text"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          placeholder={text('filter.tql.example')}
          value={value}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${id}-options`}
          aria-activedescendant={picked < 0 ? undefined : `${id}-option-${picked}`}
          aria-invalid={faults.length > 0}
          aria-describedby={faults.length > 0 ? `${id}-faults` : undefined}
          onChange={({ target }) => {
            onChange(target.value)
            setCaret(target.selectionStart ?? target.value.length)
            setPicked(-1)
          }}
          onKeyDown={press}
          onClick={open}
          onBlur={close}
          onScroll={align}
        />
      </div>
      {isOpen && (
        <ul id={`${id}-options`} role="listbox" aria-label={text('filter.offers')} className={styles['options']}>
          {options.map((option, index) => (
            <li
              key={option.insert}
              id={`${id}-option-${index}`}
              role="option"
              aria-selected={index === picked}
              className={styles['option']}
              onPointerDown={(event) => {
                event.preventDefault()
                take(option)
              }}
            >
              <code>{option.insert}</code>
              {option.detail !== undefined && <span>{option.detail}</span>}
            </li>
          ))}
        </ul>
      )}
      {faults.length > 0 && (
        <div id={`${id}-faults`} role="alert" className={styles['faults']}>
          {faults.map(({ message, position }) => (
            <p key={`${message} ${position}`}>{message}</p>
          ))}
        </div>
      )}
    </div>
  )
}

/** The query with errors underlined; a missing part is marked at the end. */
function marked(value: string, faults: readonly QueryFault[]) {
  const tokens = tokenize(value)
  const starts = faults.flatMap(({ position }) => (position === undefined ? [] : [Math.min(position, value.length)]))
  const parts = [...new Set(starts)].toSorted((a, b) => a - b)
  let done = 0
  const pieces = parts.flatMap((start) => {
    if (start < done) return []
    const end = tokens.find((token) => token.start <= start && start < token.end)?.end ?? start
    const piece = [
      value.slice(done, start),
      <mark key={start}>{end > start ? value.slice(start, end) : '\u00a0\u00a0'}</mark>,
    ]
    done = end
    return piece
  })
  return [...pieces, value.slice(done), '\u200b']
}
