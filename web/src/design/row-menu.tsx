import { EllipsisMenu } from './ellipsis-menu.tsx'
import styles from './row-menu.module.css'

export interface RowAction {
  readonly label: string
  readonly onPress: () => void
  readonly isDanger?: boolean
  /** The reason why it cannot be used now. */
  readonly refused?: string | undefined
}

/** The rare actions of a row. */
export function RowMenu({ label, actions }: { readonly label: string; readonly actions: readonly RowAction[] }) {
  return (
    <EllipsisMenu label={label} className={styles['popover'] ?? ''}>
      {(close) => (
        <ul>
          {actions.map(({ label: name, onPress, isDanger = false, refused }, index) => (
            <li key={name}>
              <button
                type="button"
                autoFocus={index === 0}
                disabled={refused !== undefined}
                className={isDanger ? styles['danger'] : undefined}
                onClick={() => {
                  close()
                  onPress()
                }}
              >
                {name}
                {refused !== undefined && <small>{refused}</small>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </EllipsisMenu>
  )
}
