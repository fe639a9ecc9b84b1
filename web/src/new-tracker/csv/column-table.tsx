import { Hidden } from '../../design/page.tsx'
import { typeLabel } from '../../tracker-administration/element-types.ts'
import { text } from '../messages.ts'
import styles from './csv-form.module.css'
import { countUnreadable, type ImportableType, importableTypes, type PlannedColumn } from './plan-columns.ts'

const LEFT_OUT = ''
const PREVIEW_ROWS = 5

interface Props {
  readonly columns: readonly PlannedColumn[]
  readonly onType: (name: string, type: ImportableType | undefined) => void
}

/** The first rows of the table, with the type of each column above it. */
export function ColumnTable({ columns, onType }: Props) {
  const types = importableTypes()
  const rows = columns[0]?.cells.slice(0, PREVIEW_ROWS) ?? []
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls has to be reached by keyboard
    <div className={styles['scroll']} role="region" aria-label={text('new_tracker.csv.preview')} tabIndex={0}>
      <table className={styles['table']}>
        <caption>
          <Hidden>{text('new_tracker.csv.preview')}</Hidden>
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnHead key={column.name} column={column} types={types} onType={onType} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((_, row) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows have no other name, and keep their order
            <tr key={row}>
              {columns.map(({ name, type, cells }) => (
                <td key={name} data-left-out={type === undefined}>
                  {cells[row]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface HeadProps {
  readonly column: PlannedColumn
  readonly types: readonly ImportableType[]
  readonly onType: Props['onType']
}

function ColumnHead({ column, types, onType }: HeadProps) {
  const { heading, name, type } = column
  const unreadable = countUnreadable(column)
  return (
    <th scope="col">
      <span className={styles['heading']}>{heading}</span>
      <select
        aria-label={text('new_tracker.csv.type_of', { column: heading })}
        value={type?.type ?? LEFT_OUT}
        onChange={({ target }) =>
          onType(
            name,
            types.find((each) => each.type === target.value),
          )
        }
      >
        {types.map((each) => (
          <option key={each.type} value={each.type}>
            {typeLabel(each.type)}
          </option>
        ))}
        <option value={LEFT_OUT}>{text('new_tracker.csv.left_out')}</option>
      </select>
      {unreadable > 0 && (
        <small className={styles['warning']}>{text('new_tracker.csv.unreadable_cells', { count: unreadable })}</small>
      )}
    </th>
  )
}
