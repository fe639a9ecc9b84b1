import { useNavigate } from '@tanstack/react-router'
import { useShortcuts } from '../shell/use-shortcuts.ts'
import { useParamsOf, usePlace } from './use-repository.ts'

/** `h`: what happened to what is shown. More letters are the screen's own. */
export function useHistoryKey(more: Readonly<Record<string, () => void>> = {}): void {
  const navigate = useNavigate()
  const paramsOf = useParamsOf()
  const { path, rev } = usePlace()
  const search = rev === undefined ? {} : { rev }
  useShortcuts({
    h: () => void navigate({ to: '/projects/$shortname/repositories/$name/log/$', params: paramsOf(path), search }),
    ...more,
  })
}
