import { GripVertical } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { Icon } from '../design/icon.tsx'
import rows from '../design/rows.module.css'
import { fieldType } from '../field-types/field-types.ts'
import { text } from './messages.ts'
import type { FormElement } from './definition.ts'
import { type definedProgress, DefinedValue } from './defined-value.tsx'
import { elementLabel, typeIcon, typeLabel } from './element-types.ts'
import styles from './element-list.module.css'
import type { Side } from './tree.ts'

/** Moving elements by drag and drop or by buttons. */
export interface Moving {
  readonly dragged: string | undefined
  readonly onDrag: (name: string | undefined) => void
  readonly mayMove: (name: string, step: -1 | 1) => boolean
  /** `control` has the focus and keeps it. */
  readonly move: (name: string, step: -1 | 1, control: string) => void
  readonly mayDrop: (target: string, side: Side) => boolean
  readonly drop: (target: string, side: Side) => void
}

interface Props {
  readonly elements: readonly FormElement[]
  readonly label: string
  readonly moving: Moving
  /** The field of the status, with the progress of its values. */
  readonly progressOf: (field: string) => ReturnType<typeof definedProgress>
  readonly onEdit: (name: string) => void
}

/** Elements in their order, with the content of containers. */
export function ElementList({ elements, label, ...given }: Props) {
  return (
    <ol className={styles['list']} aria-label={label}>
      {elements.map((element) => (
        <li key={element.name}>
          <Row element={element} {...given} />
          {element.content && (
            <div className={styles['content']}>
              {element.content.length === 0 ? (
                <p className={styles['empty']}>{text('elements.container.empty')}</p>
              ) : (
                <ElementList elements={element.content} label={elementLabel(element)} {...given} />
              )}
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}

const MAX_VALUES = 12

function Row({
  element,
  moving,
  progressOf,
  onEdit,
}: Pick<Props, 'moving' | 'progressOf' | 'onEdit'> & { element: FormElement }) {
  const [side, setSide] = useState<Side>()
  const { name, description, required, bind } = element
  const label = elementLabel(element)
  const isContainer = element.content !== null
  const over = (event: DragEvent<HTMLElement>) => {
    const found = sideOf(event, isContainer)
    const isFit = moving.mayDrop(name, found)
    setSide(isFit ? found : undefined)
    if (isFit) event.preventDefault()
  }
  return (
    <div
      className={isContainer ? `${styles['row']} ${styles['container']}` : styles['row']}
      draggable
      data-drop={moving.dragged === undefined ? undefined : side}
      data-dragged={moving.dragged === name || undefined}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', label)
        moving.onDrag(name)
      }}
      onClick={({ target }) => {
        // The buttons of the row have actions of their own.
        if (target instanceof Element && !target.closest('button')) onEdit(name)
      }}
      onDragEnd={() => moving.onDrag(undefined)}
      onDragOver={over}
      onDragLeave={() => setSide(undefined)}
      onDrop={(event) => {
        event.preventDefault()
        setSide(undefined)
        moving.drop(name, sideOf(event, isContainer))
      }}
    >
      <span aria-hidden className={styles['handle']}>
        <Icon of={GripVertical} size={14} />
      </span>
      {!isContainer && (
        <span className={styles['icon']}>
          <Icon of={typeIcon(element)} />
        </span>
      )}
      <div className={styles['words']}>
        <span className={styles['title']}>
          <button
            type="button"
            className={styles['name']}
            aria-label={text('elements.edit_what', { name: label })}
            onClick={() => onEdit(name)}
          >
            {label}
          </button>
          {required && <span className={styles['required']}>{text('elements.required')}</span>}
          {element.shared_from !== null && (
            <span className={rows['tag']}>{text('elements.shared', { from: element.shared_from })}</span>
          )}
        </span>
        {description !== '' && <span className={styles['description']}>{description}</span>}
        {bind?.type === 'static' && fieldType(element).list && (
          <span className={styles['values']}>
            {bind.values
              .filter(({ hidden }) => !hidden)
              .slice(0, MAX_VALUES)
              .map((value) => (
                <DefinedValue key={value.key} value={value} progressOf={progressOf(name)} />
              ))}
          </span>
        )}
      </div>
      <span className={styles['type']}>{typeLabel(element.type)}</span>
      <div className={styles['actions']}>
        {([-1, 1] as const).map((step) => {
          const control = `${step} ${name}`
          return (
            <button
              key={step}
              type="button"
              className={styles['step']}
              data-control={control}
              aria-label={text(step === -1 ? 'elements.up' : 'elements.down', { name: label })}
              // `aria-disabled` keeps the focus at the end of the list.
              aria-disabled={!moving.mayMove(name, step)}
              onClick={() => moving.move(name, step, control)}
            >
              <span aria-hidden>{step === -1 ? '↑' : '↓'}</span>
            </button>
          )
        })}
      </div>
    </div>
  )
}

/** The drop target after the last container; a drop on the container itself would go into it. */
export function FormEnd({ last, moving }: { last: string | undefined; moving: Moving }) {
  const [isOver, setOver] = useState(false)
  const isFit = last !== undefined && moving.mayDrop(last, 'after')
  return (
    <div
      className={styles['end']}
      data-drop={isOver && isFit ? 'before' : undefined}
      onDragOver={(event) => {
        setOver(true)
        if (isFit) event.preventDefault()
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (last !== undefined) moving.drop(last, 'after')
      }}
    />
  )
}

/** The lower part of a container is its content. */
function sideOf({ currentTarget, clientY }: DragEvent<HTMLElement>, isContainer: boolean): Side {
  const { top, height } = currentTarget.getBoundingClientRect()
  const part = (clientY - top) / height
  if (isContainer) return part < 0.3 ? 'before' : 'inside'
  return part < 0.5 ? 'before' : 'after'
}
