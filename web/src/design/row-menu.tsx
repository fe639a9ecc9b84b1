import { Button as AriaButton } from 'react-aria-components/Button'
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
              <AriaButton
                autoFocus={index === 0}
                isDisabled={refused !== undefined}
                className={isDanger ? (styles['danger'] ?? '') : ''}
                onPress={() => {
                  close()
                  onPress()
                }}
              >
                {name}
                {refused !== undefined && <small>{refused}</small>}
              </AriaButton>
            </li>
          ))}
        </ul>
      )}
    </EllipsisMenu>
  )
}
