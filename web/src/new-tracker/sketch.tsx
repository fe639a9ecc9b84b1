import type { TrackerDefinition } from '@waypost/sdk/api'
import { Check } from 'lucide-react'
import type { ComponentType } from 'react'
import { type Hue, toHue } from '../design/hue.ts'
import { Icon } from '../design/icon.tsx'
import { findElement } from './definition-contents.ts'
import styles from './sketch.module.css'

interface Drawing {
  /** The hues of the states, in their order. */
  readonly states: readonly Hue[]
}

const DRAWINGS: Readonly<Record<string, ComponentType<Drawing>>> = {
  tasks: Checklist,
  scrum: Board,
  requirements: Outline,
  risks: Matrix,
  support: Talk,
}

/** A small picture of the tracker in use, in the colours of its states. */
export function Sketch({ name, definition }: { readonly name: string; readonly definition: TrackerDefinition }) {
  const status = findElement(definition, definition.semantics?.status?.field)
  const values = status?.bind?.type === 'static' ? (status.bind.values ?? []) : []
  const Picture = DRAWINGS[name] ?? Table
  return <Picture states={values.map(({ color }) => toHue(color))} />
}

const at = (states: readonly Hue[], index: number): Hue => states[index % Math.max(1, states.length)] ?? 'gray'

function Bar({ width }: { readonly width: number }) {
  return <i className={styles['bar']} style={{ width: `${width}%` }} />
}

function Pill({ hue, width = 2 }: { readonly hue: Hue; readonly width?: number }) {
  return <i className={styles['pill']} data-hue={hue} style={{ width: `${width}rem` }} />
}

const ROWS = [48, 62, 38, 55]

function Table({ states }: Drawing) {
  return (
    <div className={styles['table']}>
      {ROWS.map((width, row) => (
        <span key={width} className={styles['row']}>
          <Pill hue={row === 0 ? 'red' : row === 1 ? 'orange' : 'gray'} width={0.875} />
          <Bar width={width} />
          <Pill hue={at(states, row + 1)} />
        </span>
      ))}
    </div>
  )
}

function Checklist() {
  return (
    <div className={styles['stack']}>
      {ROWS.map((width, row) => (
        <span key={width} className={styles['line']}>
          <i className={styles['box']} data-done={row < 2}>
            {row < 2 && <Icon of={Check} size={10} />}
          </i>
          <Bar width={width} />
        </span>
      ))}
    </div>
  )
}

const COLUMNS = [[100, 70, 90], [80, 100], [60]] as const

function Board({ states }: Drawing) {
  return (
    <div className={styles['board']}>
      {COLUMNS.map((cards, column) => (
        <span key={cards.length} className={styles['column']}>
          {cards.map((width, card) => (
            <span key={width} className={styles['tile']}>
              <Bar width={width} />
              {card === 0 && <Pill hue={at(states, column * 2 + 1)} width={1.25} />}
            </span>
          ))}
        </span>
      ))}
    </div>
  )
}

function Outline({ states }: Drawing) {
  return (
    <div className={styles['stack']}>
      {['1', '1.1', '1.2', '2'].map((number, row) => (
        <span key={number} className={styles['line']} data-level={number.length > 1 ? 2 : 1}>
          <small>{number}</small>
          <Bar width={ROWS[row] ?? 50} />
          {number.length > 1 && <Pill hue={at(states, row === 1 ? 4 : 2)} width={1.5} />}
        </span>
      ))}
    </div>
  )
}

/** From likely and harmless to likely and severe, then less likely. */
const CELLS: readonly (readonly [string, Hue])[] = [
  ['a1', 'amber'],
  ['a2', 'orange'],
  ['a3', 'red'],
  ['b1', 'green'],
  ['b2', 'amber'],
  ['b3', 'orange'],
  ['c1', 'green'],
  ['c2', 'green'],
  ['c3', 'amber'],
]
const POINTS = ['a2', 'a3', 'b3']

function Matrix() {
  return (
    <div className={styles['matrix']}>
      {CELLS.map(([cell, hue]) => (
        <i key={cell} data-hue={hue}>
          {POINTS.includes(cell) && <b />}
        </i>
      ))}
    </div>
  )
}

function Talk() {
  return (
    <div className={styles['stack']}>
      <span className={styles['line']}>
        <i className={styles['face']} data-hue="blue" />
        <span className={styles['tile']}>
          <Bar width={100} />
          <Bar width={60} />
        </span>
      </span>
      <span className={styles['line']} data-side="end">
        <span className={styles['tile']} data-own>
          <Bar width={100} />
        </span>
        <i className={styles['face']} data-hue="amber" />
      </span>
    </div>
  )
}
