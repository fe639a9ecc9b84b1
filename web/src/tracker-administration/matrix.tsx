import { type KeyboardEvent, useRef, useState } from 'react'
import { text } from './messages.ts'
import styles from './matrix.module.css'

interface Named {
  readonly key: string
  readonly label: string
}

export interface MatrixRow extends Named {
  /** A secondary text, such as the type of a field. */
  readonly detail?: string
}

/** A cell of a row and a column. */
export interface MatrixCell {
  readonly isChecked: boolean
  /** The label for screen readers. */
  readonly label: string
  /** The wider permission that already grants this one. */
  readonly impliedBy?: string | undefined
  readonly onToggle: () => void
}

interface Props {
  readonly label: string
  readonly corner: string
  readonly rows: readonly MatrixRow[]
  readonly columns: readonly Named[]
  /** Sub-columns of each column. */
  readonly parts?: readonly Named[]
  /** Undefined: the cell is empty. */
  readonly cell: (row: string, column: string, part: string) => MatrixCell | undefined
}

const ONE: readonly Named[] = [{ key: '', label: '' }]
const ARROW_STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** A grid of check boxes with a single tab stop and arrow keys. */
export function Matrix({ label, corner, rows, columns, parts = ONE, cell }: Props) {
  const table = useRef<HTMLTableElement>(null)
  const [active, setActive] = useState<string>()
  const all = columns.flatMap((column) => parts.map((part) => ({ column, part })))
  const first = rows.flatMap((row, y) =>
    all.flatMap(({ column, part }, x) => (cell(row.key, column.key, part.key) ? [`${y} ${x}`] : [])),
  )[0]
  const move = (event: KeyboardEvent, y: number, x: number) => {
    const [down, right] = ARROW_STEPS[event.key] ?? [0, 0]
    if (down === 0 && right === 0) return
    event.preventDefault()
    // Skip empty cells.
    for (
      let to = [y + down, x + right] as const;
      isWithin(to, rows.length, all.length);
      to = [to[0] + down, to[1] + right]
    ) {
      const box = table.current?.querySelector(`[data-place="${to[0]} ${to[1]}"]`)
      if (!(box instanceof HTMLElement)) continue
      box.focus()
      return
    }
  }
  const isSplit = parts.length > 1
  return (
    <div className={styles['scroll']}>
      <table ref={table} role="grid" className={styles['matrix']} aria-label={label}>
        <thead>
          <tr>
            <th scope="col" rowSpan={isSplit ? 2 : 1}>
              {corner}
            </th>
            {columns.map((column) => (
              <th key={column.key} scope="colgroup" colSpan={parts.length} className={styles['group']}>
                {column.label}
              </th>
            ))}
          </tr>
          {isSplit && (
            <tr>
              {all.map(({ column, part }) => (
                <th key={`${column.key} ${part.key}`} scope="col" className={styles['part']}>
                  {part.label}
                </th>
              ))}
            </tr>
          )}
        </thead>
        <tbody>
          {rows.map((row, y) => (
            <tr key={row.key}>
              <th scope="row">
                {row.label}
                {row.detail !== undefined && <small>{row.detail}</small>}
              </th>
              {all.map(({ column, part }, x) => {
                const place = `${y} ${x}`
                const found = cell(row.key, column.key, part.key)
                return (
                  <td key={`${column.key} ${part.key}`} data-first={(isSplit && x % parts.length === 0) || undefined}>
                    {found && (
                      <label
                        data-implied={(found.impliedBy !== undefined && !found.isChecked) || undefined}
                        title={found.impliedBy}
                      >
                        <input
                          type="checkbox"
                          data-place={place}
                          aria-label={
                            found.impliedBy === undefined
                              ? found.label
                              : text('matrix.implied', { what: found.label, by: found.impliedBy })
                          }
                          checked={found.isChecked}
                          tabIndex={place === (active ?? first) ? 0 : -1}
                          onFocus={() => setActive(place)}
                          onKeyDown={(event) => move(event, y, x)}
                          onChange={found.onToggle}
                        />
                      </label>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function isWithin([y, x]: readonly [number, number], rows: number, columns: number): boolean {
  return y >= 0 && x >= 0 && y < rows && x < columns
}
