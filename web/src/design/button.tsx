import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import styles from './button.module.css'

export type ButtonKind = 'plain' | 'primary' | 'danger' | 'quiet'

/** The class of a link that looks like a button. */
export function buttonClass(kind: ButtonKind = 'plain'): string {
  return kind === 'plain' ? String(styles['button']) : `${styles['button']} ${styles[kind]}`
}

export function Button({ kind = 'plain', ...props }: Omit<ButtonProps, 'className'> & { kind?: ButtonKind }) {
  return <AriaButton {...props} className={buttonClass(kind)} />
}
