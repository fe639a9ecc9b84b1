import type { ComponentProps, KeyboardEvent, SyntheticEvent } from 'react'
import styles from './button.module.css'

export type ButtonKind = 'plain' | 'primary' | 'danger' | 'quiet' | 'icon'

/** The class of a link that looks like a button. */
export function buttonClass(kind: ButtonKind = 'plain'): string {
  return kind === 'plain' ? String(styles['button']) : `${styles['button']} ${styles[kind]}`
}

interface Props
  extends Omit<ComponentProps<'button'>, 'className' | 'disabled' | 'onClick' | 'onPointerDown' | 'title'> {
  readonly kind?: ButtonKind
  readonly isDisabled?: boolean
  /** Ignores presses while busy. It keeps the focus, which a disabled button would lose. */
  readonly isBusy?: boolean
  /** The tooltip; that of an icon is its name by default. */
  readonly tip?: string | undefined
  readonly onPress?: ((pressed: { readonly target: HTMLButtonElement }) => void) | undefined
}

/** A press is for the button alone, and not for the row or card that it is in. */
export function Button(props: Props) {
  const {
    kind = 'plain',
    isDisabled = false,
    isBusy = false,
    tip,
    onPress,
    onKeyDown,
    type = 'button',
    ...rest
  } = props
  return (
    <button
      {...rest}
      type={isBusy ? 'button' : type}
      className={buttonClass(kind)}
      title={tip ?? (kind === 'icon' ? props['aria-label'] : undefined)}
      disabled={isDisabled}
      data-busy={isBusy || undefined}
      onPointerDown={stop}
      onKeyDown={(event) => {
        onKeyDown?.(event)
        if (isPress(event)) stop(event)
      }}
      onClick={(event) => {
        stop(event)
        const { currentTarget: target, detail: clicks } = event
        // Safari does not focus a button by a click, and a dialog could not return the focus to it. A form that is sent
        // by Enter clicks its button as well, without a pointer.
        if (clicks > 0) target.focus({ preventScroll: true })
        if (!isBusy) onPress?.({ target })
      }}
    />
  )
}

function stop(event: SyntheticEvent): void {
  event.stopPropagation()
}

function isPress({ key }: KeyboardEvent): boolean {
  return key === 'Enter' || key === ' '
}
