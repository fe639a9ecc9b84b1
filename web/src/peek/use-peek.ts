import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useIsNarrow } from '../shell/use-is-narrow.ts'
import { storePeekMemory } from './peek-memory.ts'

/** The artifact beside a list. */
export interface Peek {
  /** Undefined: the panel is closed. */
  readonly id: number | undefined
  /** On a phone, opens the artifact instead. */
  readonly show: (id: number) => void
  readonly close: () => void
}

/** Keys repeat faster than browsers accept new addresses. */
const ADDRESS_DELAY_MS = 100

/** The peeked artifact is in the address, which follows it when moving pauses. */
export function usePeek(): Peek {
  const named = useSearch({ strict: false, select: ({ peek }) => peek })
  const navigate = useNavigate()
  const { history } = useRouter()
  const isNarrow = useIsNarrow()
  const [id, setId] = useState(named)
  const written = useRef(named)
  // Back, forward, or a link.
  useEffect(() => {
    if (named === written.current) return
    written.current = named
    setId(named)
  }, [named])
  useEffect(() => {
    if (id === written.current) return undefined
    const isMove = id !== undefined && written.current !== undefined
    const timer = setTimeout(
      () => {
        written.current = id
        void navigate({
          to: '.',
          search: (before) => ({ ...before, peek: id }),
          hash: true,
          replace: true,
          resetScroll: false,
        })
      },
      isMove ? ADDRESS_DELAY_MS : 0,
    )
    return () => clearTimeout(timer)
  }, [id])
  useEffect(() => {
    if (isNarrow && named !== undefined) history.replace(`/artifacts/${named}`)
  }, [])
  return {
    id: isNarrow ? undefined : id,
    show: (next) => {
      if (isNarrow) return history.push(`/artifacts/${next}`)
      if (id === undefined) storePeekMemory({ isOpen: true })
      return setId(next)
    },
    close: () => {
      storePeekMemory({ isOpen: false })
      setId(undefined)
    },
  }
}
