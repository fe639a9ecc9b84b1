import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Empty } from '../design/page.tsx'
import { text } from './messages.ts'
import styles from './code.module.css'
import { formatNumber } from '../messages/format-number.ts'

/** Longer files show the rest on request. */
const MAX_DRAWN_LINES = 5_000
/** Lines are grouped into few elements, so that a long file renders quickly. */
const LINES_PER_BLOCK = 250

/** Splits a text into lines; a final line break does not start a new line. */
export function linesIn(content: string): string[] {
  const lines = content.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** A text whose lines have addresses: `#L12`, or `#L12-L20` for a range. */
export function NumberedLines({ content }: { content: string }) {
  const { hash } = useLocation()
  const chosen = chosenIn(hash)
  const [isWhole, setWhole] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const lines = linesIn(content)
  const drawn = isWhole || (chosen && chosen.from > MAX_DRAWN_LINES) ? lines : lines.slice(0, MAX_DRAWN_LINES)
  const from = chosen?.from
  useEffect(() => {
    if (from !== undefined) place.current?.querySelector(`#L${from}`)?.scrollIntoView({ block: 'center' })
  }, [from])
  const blocks = Array.from({ length: Math.ceil(drawn.length / LINES_PER_BLOCK) }, (_, at) => at * LINES_PER_BLOCK)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keyboard */}
      <div ref={place} className={styles['scroll']} role="region" aria-label={text('file.content')} tabIndex={0}>
        {blocks.map((first) => (
          <Block key={first} first={first} lines={drawn.slice(first, first + LINES_PER_BLOCK)} chosen={chosen} />
        ))}
      </div>
      {drawn.length < lines.length && (
        <Empty action={<Button onPress={() => setWhole(true)}>{text('file.whole')}</Button>}>
          {text('file.cut', { count: formatNumber(lines.length - drawn.length) })}
        </Empty>
      )}
    </>
  )
}

interface Chosen {
  readonly from: number
  readonly to: number
}

function Block({ first, lines, chosen }: { first: number; lines: readonly string[]; chosen: Chosen | undefined }) {
  const isChosen = (at: number) => chosen !== undefined && first + at + 1 >= chosen.from && first + at + 1 <= chosen.to
  const start = lines.findIndex((_, at) => isChosen(at))
  const end = lines.findLastIndex((_, at) => isChosen(at)) + 1
  return (
    <div className={styles['block']}>
      <div className={styles['numbers']}>
        {lines.map((_, at) => {
          const line = first + at + 1
          // Not in the tab order: a file has thousands of lines. `l` opens the line field.
          return (
            <a key={line} id={`L${line}`} href={`#L${line}`} tabIndex={-1} aria-label={text('file.at_line', { line })}>
              {line}
            </a>
          )
        })}
      </div>
      {start === -1 ? (
        <pre>{joined(lines)}</pre>
      ) : (
        <pre>
          {joined(lines.slice(0, start))}
          <mark>{joined(lines.slice(start, end))}</mark>
          {joined(lines.slice(end))}
        </pre>
      )}
    </div>
  )
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

function chosenIn(hash: string): Chosen | undefined {
  const [, from, to] = /^L(\d+)(?:-L?(\d+))?$/.exec(hash) ?? []
  if (from === undefined) return undefined
  const ends = [Number(from), Number(to ?? from)]
  return { from: Math.min(...ends), to: Math.max(...ends) }
}
