import type { Ref } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import styles from './button.module.css'

export type ButtonKind = 'plain' | 'primary' | 'danger' | 'quiet' | 'icon'

/** The class of a link that looks like a button. */
export function buttonClass(kind: ButtonKind = 'plain'): string {
  return kind === 'plain' ? String(styles['button']) : `${styles['button']} ${styles[kind]}`
}

interface Props extends Omit<ButtonProps, 'className'> {
  ref?: Ref<HTMLButtonElement>
  kind?: ButtonKind
  /** Ignores presses while busy. It keeps the focus, which a disabled button would lose. */
  isBusy?: boolean
}

export function Button({ kind = 'plain', isBusy = false, ...props }: Props) {
  const idle = isBusy && { type: 'button' as const, onPress: () => undefined, 'data-busy': true }
  return <AriaButton {...props} {...idle} className={buttonClass(kind)} />
}
