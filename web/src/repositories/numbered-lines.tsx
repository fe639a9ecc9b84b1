import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Empty } from '../design/page.tsx'
import { text } from './words.ts'
import styles from './code.module.css'

/** What is drawn at once; more is asked for. */
const DRAWN = 5_000
/** Lines stand together in one element, so that a long file is drawn quickly. */
const BLOCK = 250

/** The lines of a text; the end of the last one begins no new line. */
export function linesIn(content: string): string[] {
  const lines = content.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** A text, each of whose lines has an address: `#L12`, and `#L12-L20` for some of them. */
export function NumberedLines({ content }: { content: string }) {
  const { hash } = useLocation()
  const chosen = chosenIn(hash)
  const [isWhole, setWhole] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const lines = linesIn(content)
  const drawn = isWhole || (chosen && chosen.from > DRAWN) ? lines : lines.slice(0, DRAWN)
  const from = chosen?.from
  useEffect(() => {
    if (from !== undefined) place.current?.querySelector(`#L${from}`)?.scrollIntoView({ block: 'center' })
  }, [from])
  const blocks = Array.from({ length: Math.ceil(drawn.length / BLOCK) }, (_, at) => at * BLOCK)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keyboard */}
      <div ref={place} className={styles['scroll']} role="region" aria-label={text('file.content')} tabIndex={0}>
        {blocks.map((first) => (
          <Block key={first} first={first} lines={drawn.slice(first, first + BLOCK)} chosen={chosen} />
        ))}
      </div>
      {drawn.length < lines.length && (
        <Empty action={<Button onPress={() => setWhole(true)}>{text('file.whole')}</Button>}>
          {text('file.cut', { count: new Intl.NumberFormat().format(lines.length - drawn.length) })}
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
          // Not by the tab key: a file has thousands of them. `l` asks for a line.
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
