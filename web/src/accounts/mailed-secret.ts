import { useState } from 'react'

/** The secret behind the `#` of a mailed link. It is taken out of the address at once, so that nobody reads it there. */
export function useMailedSecret(): string {
  const [secret] = useState(() => location.hash.slice(1))
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname)
  return secret
}
