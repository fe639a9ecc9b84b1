import { useEffect, useRef } from 'react'
import styles from './command-palette.module.css'
import { Marked } from './marked.tsx'
import { text } from './messages.ts'
import type { PaletteRow, PaletteSection } from './palette-row.tsx'

interface Props {
  /** The options are called `<id>-0` and so on. */
  readonly id: string
  readonly sections: readonly PaletteSection[]
  readonly active: PaletteRow | undefined
  readonly words: readonly string[]
  readonly onActive: (id: string) => void
  readonly onRun: (row: PaletteRow) => void
}

export function PaletteList({ id, sections, active, words, onActive, onRun }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active?.id])
  const rows = sections.flatMap((section) => section.rows)
  return (
    <div ref={list} id={id} role="listbox" aria-label={text('palette')} className={styles['list']}>
      {sections.map((section) => (
        <div key={section.name} role="group" aria-label={section.name}>
          <div className={styles['section']} aria-hidden>
            {section.name}
          </div>
          {section.rows.map((row) => (
            <div
              key={row.id}
              id={`${id}-${rows.indexOf(row)}`}
              role="option"
              aria-selected={row === active}
              data-active={row === active}
              className={styles['row']}
              onPointerMove={() => {
                if (row !== active) onActive(row.id)
              }}
              onClick={() => onRun(row)}
            >
              {row.mark}
              {row.reference !== undefined && <span className={styles['reference']}>{row.reference} </span>}
              <span className={styles['text']}>
                <span className={styles['label']} dir="auto">
                  <Marked words={words}>{row.label}</Marked>
                </span>
                {row.snippet !== null && row.snippet !== undefined && (
                  <span className={styles['snippet']} dir="auto">
                    <Marked words={words}>{row.snippet}</Marked>
                  </span>
                )}
              </span>
              <span className={styles['end']}>{row.end}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
