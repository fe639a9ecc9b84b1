import { Maximize2, Minus, Plus } from 'lucide-react'
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../design/button.tsx'
import { toHue } from '../design/hue.ts'
import { Icon } from '../design/icon.tsx'
import { StatusGlyph } from '../design/pill.tsx'
import { Swatch } from '../design/swatch.tsx'
import { text } from './messages.ts'
import { type definedProgress, DefinedValue } from './defined-value.tsx'
import type { DefinedListValue, WorkflowStep } from './definition.ts'
import { layOutGraph, NODE } from './graph-layout.ts'
import { NEW } from './workflow.ts'
import { WorkflowArrow } from './workflow-arrow.tsx'
import styles from './workflow-graph.module.css'

interface Props {
  readonly label: string
  readonly states: readonly DefinedListValue[]
  readonly steps: readonly WorkflowStep[]
  /** True if the step is not saved yet. */
  readonly isFresh: (step: WorkflowStep) => boolean
  /** The number of artifacts by value. */
  readonly counts: ReadonlyMap<string, number>
  /** Undefined: the field is not the status. */
  readonly progressOf: ReturnType<typeof definedProgress>
  readonly onConnect: (from: string, to: string) => void
  readonly onOpen: (step: WorkflowStep) => void
}

const MIN_ZOOM = 0.4
const MAX_ZOOM = 2
const ZOOM_STEP = 1.25

/** The workflow as a graph; on a phone, as a list. The table below offers the same to screen readers. */
export function WorkflowGraph({ label, states, steps, isFresh, counts, progressOf, onConnect, onOpen }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [available, setAvailable] = useState<number>()
  /** Undefined: as wide as the page. */
  const [zoom, setZoom] = useState<number>()
  useEffect(() => {
    const measured = new ResizeObserver(([entry]) => setAvailable(entry?.contentRect.width))
    if (box.current) measured.observe(box.current)
    return () => measured.disconnect()
  }, [])
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

  const fitting = available === undefined ? 1 : Math.min(1, available / width)
  const scale = zoom ?? fitting
  const magnify = (factor: number) => setZoom(Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, scale * factor)))

  const follow = ({ clientX, clientY }: PointerEvent) => {
    const area = svg.current?.getBoundingClientRect()
    if (source !== undefined && area) setPointer({ x: (clientX - area.left) / scale, y: (clientY - area.top) / scale })
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
      <div className={styles['tools']}>
        <ul className={styles['legend']}>
          <li>
            <i className={styles['free']} />
            {text('workflow.legend.free')}
          </li>
          <li>
            <i className={styles['conditioned']} />
            {text('workflow.legend.bound')}
          </li>
          {steps.some(isFresh) && (
            <li>
              <i className={styles['dashed']} />
              {text('workflow.legend.fresh')}
            </li>
          )}
        </ul>
        <div className={styles['zoom']}>
          <Button kind="icon" aria-label={text('workflow.zoom.out')} onPress={() => magnify(1 / ZOOM_STEP)}>
            <Icon of={Minus} />
          </Button>
          <Button kind="icon" aria-label={text('workflow.zoom.in')} onPress={() => magnify(ZOOM_STEP)}>
            <Icon of={Plus} />
          </Button>
          <Button kind="icon" aria-label={text('workflow.zoom.fit')} onPress={() => setZoom(undefined)}>
            <Icon of={Maximize2} />
          </Button>
        </div>
      </div>
      <div ref={box} className={styles['scroll']} role="group" aria-label={label} tabIndex={0}>
        <svg
          ref={svg}
          role="img"
          aria-label={text('workflow.graph.label', { states: states.length, steps: steps.length })}
          width={width * scale}
          height={height * scale}
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
                markerWidth="9"
                markerHeight="9"
                markerUnits="userSpaceOnUse"
                orient="auto-start-reverse"
              >
                <path d="M0 0 L8 4 L0 8 Z" className={styles[`${kind}Head`]} />
              </marker>
            ))}
          </defs>
          {steps.map((step) => {
            const line = lines.find(({ from, to }) => from === step.from && to === step.to)
            if (!line) return null
            return (
              <WorkflowArrow
                key={`${step.from} ${step.to}`}
                line={line}
                from={labels.get(step.from) ?? ''}
                to={labels.get(step.to) ?? ''}
                isFresh={isFresh(step)}
                isBound={hasConditions(step)}
                onOpen={() => onOpen(step)}
              />
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
            const isMarked = key !== NEW && (color !== null || progressOf !== undefined)
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
                {isMarked && (
                  <foreignObject
                    x={10}
                    y={count === undefined ? 17 : 8}
                    width={14}
                    height={14}
                    className={styles['color']}
                  >
                    {progressOf ? (
                      <span className={styles['glyph']} data-hue={toHue(color)}>
                        <StatusGlyph progress={progressOf(key)} />
                      </span>
                    ) : (
                      <Swatch color={color} />
                    )}
                  </foreignObject>
                )}
                <text
                  x={isMarked ? 30 : NODE.width / 2}
                  y={count === undefined ? 29 : 20}
                  textAnchor={isMarked ? 'start' : 'middle'}
                >
                  {shorten(labels.get(key) ?? key)}
                </text>
                {count !== undefined && (
                  <text
                    className={styles['count']}
                    x={isMarked ? 30 : NODE.width / 2}
                    y={38}
                    textAnchor={isMarked ? 'start' : 'middle'}
                  >
                    {text('workflow.count', { count: count })}
                  </text>
                )}
              </g>
            )
          })}
        </svg>
      </div>
      <ul className={styles['list']} aria-label={label}>
        {[NEW, ...states.map(({ key }) => key)].map((from) => (
          <li key={from}>
            <StateName state={states.find(({ key }) => key === from)} progressOf={progressOf} />
            <ul>
              {steps
                .filter((step) => step.from === from)
                .map((step) => (
                  <li key={step.to}>
                    <Button kind="quiet" onPress={() => onOpen(step)}>
                      <span aria-hidden>→</span>
                      <StateName state={states.find(({ key }) => key === step.to)} progressOf={progressOf} />
                      {hasConditions(step) && <i className={styles['conditioned']} />}
                    </Button>
                  </li>
                ))}
              {!steps.some((step) => step.from === from) && (
                <li className={styles['none']}>{text('workflow.list.none')}</li>
              )}
            </ul>
          </li>
        ))}
      </ul>
      <figcaption>
        {source === undefined
          ? text('workflow.graph.hint')
          : text('workflow.graph.to', { from: labels.get(source) ?? source })}
      </figcaption>
    </figure>
  )
}

interface StateNameProps {
  /** Undefined: before creation. */
  readonly state: DefinedListValue | undefined
  readonly progressOf: Props['progressOf']
}

function StateName({ state, progressOf }: StateNameProps) {
  if (!state) return <span className={styles['start']}>{text('workflow.new')}</span>
  return <DefinedValue value={state} progressOf={progressOf} />
}

function hasConditions({ conditions }: WorkflowStep): boolean {
  const { groups = [], not_empty = [], comment = false } = conditions ?? {}
  return groups.length + not_empty.length > 0 || comment
}

const MAX_LABEL_CHARACTERS = 13

function shorten(label: string): string {
  return label.length > MAX_LABEL_CHARACTERS ? `${label.slice(0, MAX_LABEL_CHARACTERS - 1)}…` : label
}
