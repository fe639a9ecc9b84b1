import { type PointerEvent, useMemo, useRef, useState } from 'react'
import { Swatch } from '../design/swatch.tsx'
import { text } from './messages.ts'
import type { DefinedListValue, WorkflowStep } from './definition.ts'
import { layOutGraph, NODE } from './graph-layout.ts'
import { NEW } from './workflow.ts'
import styles from './workflow-graph.module.css'

interface Props {
  readonly label: string
  readonly states: readonly DefinedListValue[]
  readonly steps: readonly WorkflowStep[]
  /** True if the step is not saved yet. */
  readonly isFresh: (step: WorkflowStep) => boolean
  /** The number of artifacts by value. */
  readonly counts: ReadonlyMap<string, number>
  readonly onConnect: (from: string, to: string) => void
  readonly onOpen: (step: WorkflowStep) => void
}

/** The workflow as a graph. The table below offers the same to screen readers. */
export function WorkflowGraph({ label, states, steps, isFresh, counts, onConnect, onOpen }: Props) {
  const svg = useRef<SVGSVGElement>(null)
  const [source, setSource] = useState<string>()
  const [pointer, setPointer] = useState<{ x: number; y: number }>()
  const labels = new Map([[NEW, text('workflow.new')], ...states.map(({ key, label: name }) => [key, name] as const)])
  const { width, height, places, lines } = useMemo(
    () =>
      layOutGraph(
        states.map(({ key }) => key),
        steps,
      ),
    [states, steps],
  )
  const placeOf = (key: string) => places.find((each) => each.key === key)
  const start = source === undefined ? undefined : placeOf(source)

  const follow = ({ clientX, clientY }: PointerEvent) => {
    const box = svg.current?.getBoundingClientRect()
    if (source !== undefined && box) setPointer({ x: clientX - box.left, y: clientY - box.top })
  }
  const letGo = ({ clientX, clientY }: PointerEvent) => {
    const target = document.elementFromPoint(clientX, clientY)?.closest('[data-state]')?.getAttribute('data-state')
    if (source !== undefined && target && target !== source && target !== NEW) {
      onConnect(source, target)
      setSource(undefined)
    } else if (!target) setSource(undefined)
    setPointer(undefined)
  }
  return (
    <figure className={styles['figure']}>
      <div className={styles['scroll']} role="group" aria-label={label} tabIndex={0}>
        <svg
          ref={svg}
          role="img"
          aria-label={text('workflow.graph.label', { states: states.length, steps: steps.length })}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          onPointerMove={follow}
          onPointerUp={letGo}
        >
          <defs>
            {(['plain', 'fresh'] as const).map((kind) => (
              <marker
                key={kind}
                id={`arrow-${kind}`}
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="8"
                markerHeight="8"
                orient="auto-start-reverse"
              >
                <path d="M0 0 L8 4 L0 8 Z" className={styles[`${kind}Head`]} />
              </marker>
            ))}
          </defs>
          {steps.map((step) => {
            const line = lines.find(({ from, to }) => from === step.from && to === step.to)
            if (!line) return null
            const { path, middle } = line
            const kind = isFresh(step) ? 'fresh' : 'plain'
            return (
              <g key={`${step.from} ${step.to}`} className={styles['arrow']} onClick={() => onOpen(step)}>
                <title>
                  {text('workflow.step', { from: labels.get(step.from) ?? '', to: labels.get(step.to) ?? '' })}
                </title>
                <path d={path} className={styles['reach']} />
                <path d={path} className={styles[kind]} markerEnd={`url(#arrow-${kind})`} />
                <circle
                  cx={middle[0]}
                  cy={middle[1]}
                  r={6}
                  className={hasConditions(step) ? `${styles['knob']} ${styles['bound']}` : styles['knob']}
                />
              </g>
            )
          })}
          {start && pointer && (
            <path
              className={styles['drawn']}
              d={`M${start.x + NODE.width / 2} ${start.y + NODE.height / 2} L${pointer.x} ${pointer.y}`}
            />
          )}
          {places.map(({ key, x, y }) => {
            const color = states.find((state) => state.key === key)?.color ?? null
            const count = counts.get(key)
            return (
              <g
                key={key}
                data-state={key}
                data-source={source === key || undefined}
                className={styles['state']}
                transform={`translate(${x} ${y})`}
                onPointerDown={(event) => {
                  event.preventDefault()
                  // The second click selects the target.
                  if (source === undefined) setSource(key)
                }}
              >
                <rect width={NODE.width} height={NODE.height} rx={key === NEW ? NODE.height / 2 : 8} />
                {color !== null && (
                  <foreignObject
                    x={12}
                    y={count === undefined ? 19 : 10}
                    width={10}
                    height={10}
                    className={styles['color']}
                  >
                    <Swatch color={color} />
                  </foreignObject>
                )}
                <text
                  x={color === null ? NODE.width / 2 : 28}
                  y={count === undefined ? 29 : 20}
                  textAnchor={color === null ? 'middle' : 'start'}
                >
                  {shorten(labels.get(key) ?? key)}
                </text>
                {count !== undefined && (
                  <text
                    className={styles['count']}
                    x={color === null ? NODE.width / 2 : 28}
                    y={38}
                    textAnchor={color === null ? 'middle' : 'start'}
                  >
                    {text('workflow.count', { count: count })}
                  </text>
                )}
              </g>
            )
          })}
        </svg>
      </div>
      <figcaption>
        {source === undefined
          ? text('workflow.graph.hint')
          : text('workflow.graph.to', { from: labels.get(source) ?? source })}
      </figcaption>
    </figure>
  )
}

function hasConditions({ conditions }: WorkflowStep): boolean {
  const { groups = [], not_empty = [], comment = false } = conditions ?? {}
  return groups.length + not_empty.length > 0 || comment
}

const MAX_LABEL_CHARACTERS = 13

function shorten(label: string): string {
  return label.length > MAX_LABEL_CHARACTERS ? `${label.slice(0, MAX_LABEL_CHARACTERS - 1)}…` : label
}
