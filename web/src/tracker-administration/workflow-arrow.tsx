import type { EdgeLine } from './graph-layout.ts'
import { text } from './messages.ts'
import styles from './workflow-graph.module.css'

/** The mean width of a letter at the size of the names, which are stretched to it. */
const LETTER_PX = 6.2
const KNOB_SPACE_PX = 20
const PADDING_PX = 6

interface Props {
  readonly line: EdgeLine
  /** The labels of the states. */
  readonly from: string
  readonly to: string
  /** Not saved yet. */
  readonly isFresh: boolean
  readonly isBound: boolean
  readonly onOpen: () => void
}

/** A transition with a knob for its conditions, and its name if there is space for it. */
export function WorkflowArrow({ line: { path, middle, space }, from, to, isFresh, isBound, onOpen }: Props) {
  const [x, y] = middle
  const kind = isFresh ? 'fresh' : 'plain'
  const full = text('workflow.step', { from, to })
  const name = [full, `→ ${to}`].find((each) => plateWidth(each) <= space)
  const left = name === undefined ? x - 6 : x - plateWidth(name) / 2
  return (
    <g className={styles['arrow']} onClick={onOpen}>
      <title>{full}</title>
      <path d={path} className={styles['reach']} />
      <path d={path} className={styles[kind]} markerEnd={`url(#arrow-${kind})`} />
      {name !== undefined && (
        <rect x={left} y={y - 10} width={plateWidth(name)} height={20} className={styles['plate']} />
      )}
      <circle
        cx={left + (name === undefined ? 6 : PADDING_PX + 5)}
        cy={y}
        r={5}
        className={isBound ? `${styles['knob']} ${styles['bound']}` : styles['knob']}
      />
      {name !== undefined && (
        <text x={left + KNOB_SPACE_PX} y={y + 4} textLength={name.length * LETTER_PX}>
          {name}
        </text>
      )}
    </g>
  )
}

function plateWidth(name: string): number {
  return name.length * LETTER_PX + KNOB_SPACE_PX + PADDING_PX
}
