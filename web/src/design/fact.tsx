import type { ReactNode } from 'react'

/** A name and its value, as an entry of a definition list. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt> <dd>{children}</dd>
    </div>
  )
}
