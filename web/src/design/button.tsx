import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
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
  /** The tooltip; that of an icon is its name by default. */
  tip?: string | undefined
}

export function Button({ ref, kind = 'plain', isBusy = false, tip, ...props }: Props) {
  const element = useRef<HTMLButtonElement>(null)
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => element.current, [])
  const title = tip ?? (kind === 'icon' ? props['aria-label'] : undefined)
  // React Aria does not pass `title` on.
  useEffect(() => {
    if (title === undefined) element.current?.removeAttribute('title')
    else element.current?.setAttribute('title', title)
  }, [title])
  const idle = isBusy && { type: 'button' as const, onPress: () => undefined, 'data-busy': true }
  return <AriaButton ref={element} {...props} {...idle} className={buttonClass(kind)} />
}
