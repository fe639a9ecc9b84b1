/** Which work is shown is in the address. */
export interface WorkSearch {
  readonly of?: 'submitted'
}

export function readWorkSearch({ of }: Readonly<Record<string, unknown>>): WorkSearch {
  return of === 'submitted' ? { of } : {}
}
