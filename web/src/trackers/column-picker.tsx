import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { ChoiceInput, ChoiceGroup } from '../design/field.tsx'
import { text } from './messages.ts'
import { possibleColumns } from './columns.ts'
import styles from './toolbar.module.css'

interface Props {
  tracker: Tracker
  columns: readonly TrackerField[]
  title?: string
  /** Undefined: the default columns. */
  onChange: (columns: readonly string[] | undefined) => void
  onClose: () => void
}

/** Selects columns; the selected ones come first, in their order. */
export function ColumnPicker({ tracker, columns, title, onChange, onClose }: Props) {
  const names = columns.map(({ name }) => name)
  const others = possibleColumns(tracker).filter(({ name }) => !names.includes(name))
  return (
    <Dialog title={title ?? text('table.columns.title')} onClose={onClose}>
      <ChoiceGroup label={text('table.columns.one')}>
        <div className={styles['picked']}>
          {[...columns, ...others].map(({ name, label }, index) => (
            <div key={name} className={styles['pick']}>
              <ChoiceInput
                label={label}
                hint={name === label ? undefined : name}
                checked={index < names.length}
                disabled={names.length === 1 && index === 0}
                onChange={({ target }) =>
                  onChange(target.checked ? [...names, name] : names.filter((each) => each !== name))
                }
              />
              {index > 0 && index < names.length && (
                <Button
                  kind="quiet"
                  aria-label={text('table.columns.up', { field: label })}
                  onPress={() => onChange(names.toSpliced(index, 1).toSpliced(index - 1, 0, name))}
                >
                  <span aria-hidden>↑</span>
                </Button>
              )}
            </div>
          ))}
        </div>
      </ChoiceGroup>
      <DialogActions>
        <Button kind="quiet" onPress={() => onChange(undefined)}>
          {text('table.columns.usual')}
        </Button>
        <Button kind="primary" onPress={onClose}>
          {text('close')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
