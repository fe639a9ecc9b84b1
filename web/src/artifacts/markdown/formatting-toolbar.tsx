import { Bold, Code, Italic, Link, List, ListTodo, type LucideIcon, TextQuote } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { Icon } from '../../design/icon.tsx'
import { text } from '../messages.ts'
import { TEXT_FORMATS, type TextFormatting } from './format-text.ts'
import styles from './markdown-field.module.css'

const ICONS: Readonly<Record<TextFormatting, LucideIcon>> = {
  bold: Bold,
  italic: Italic,
  code: Code,
  link: Link,
  list: List,
  tasks: ListTodo,
  quote: TextQuote,
}

interface Props {
  /** Stands above the field; else beside its label, if there is room. */
  readonly isAbove: boolean
  readonly onFormat: (formatting: TextFormatting) => void
}

/** One tab stop; arrow keys move between the buttons. */
export function FormattingToolbar({ isAbove, onFormat }: Props) {
  const [current, setCurrent] = useState(0)
  const bar = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const next = (current + step + TEXT_FORMATS.length) % TEXT_FORMATS.length
    setCurrent(next)
    bar.current?.querySelectorAll('button')[next]?.focus()
    event.preventDefault()
  }
  return (
    <div
      ref={bar}
      role="toolbar"
      data-editor-tools
      aria-label={text('format.toolbar')}
      className={styles['tools']}
      data-above={isAbove}
      onKeyDown={move}
    >
      {TEXT_FORMATS.map((formatting, at) => (
        <Button
          key={formatting}
          kind="icon"
          aria-label={text(`format.${formatting}`)}
          tabIndex={at === current ? 0 : -1}
          onPress={() => onFormat(formatting)}
        >
          <Icon of={ICONS[formatting]} />
        </Button>
      ))}
    </div>
  )
}
