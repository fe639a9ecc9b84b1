import { type ReactNode, useEffect, useRef } from 'react'

interface Props {
  readonly label: string
  readonly className: string | undefined
  /** The current filter from the address, which fills the inputs. */
  readonly shown: string
  readonly onSubmit: (values: FormData) => void
  readonly children: ReactNode
}

/** A filter form. It follows changes of the address without moving the focus. */
export function FilterForm({ label, className, shown, onSubmit, children }: Props) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.reset(), [shown])
  return (
    <form
      ref={form}
      className={className}
      role="search"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(new FormData(event.currentTarget))
      }}
    >
      {children}
    </form>
  )
}
