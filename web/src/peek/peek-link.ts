import { useNavigate, useSearch } from '@tanstack/react-router'
import { useIsNarrow } from '../shell/use-is-narrow.ts'

/** Shows an artifact beside any screen; on a phone, opens its page. */
export function usePeekLink(): (id: number) => void {
  const navigate = useNavigate()
  const isNarrow = useIsNarrow()
  return (peek) =>
    void (isNarrow
      ? navigate({ to: '/artifacts/$artifact', params: { artifact: String(peek) } })
      : navigate({ to: '.', search: (before) => ({ ...before, peek }), hash: true, replace: true, resetScroll: false }))
}

/** The artifact beside the screen, as the address names it. */
export function usePeekedId(): number | undefined {
  return useSearch({ strict: false, select: ({ peek }) => peek })
}
