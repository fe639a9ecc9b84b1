import { useState } from 'react'

/**
 * The secret after the `#` of a mailed link. It is removed from the address at once, so that it is not visible there.
 */
export function useMailedSecret(): string {
  const [secret] = useState(() => location.hash.slice(1))
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname)
  return secret
}
