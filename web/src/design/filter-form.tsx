import { type ReactNode, useEffect, useRef } from 'react'

interface Props {
  readonly label: string
  readonly className: string | undefined
  /** What the address says, by which the fields are filled. */
  readonly shown: string
  readonly onSubmit: (values: FormData) => void
  readonly children: ReactNode
}

/** What is looked for. When the address says something else the fields do too, and the keyboard stays where it is. */
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
