import { useNavigate } from '@tanstack/react-router'
import { useShortcuts } from '../shell/use-shortcuts.ts'
import { useParamsOf, useRepositoryLocation } from './use-repository.ts'

/** `h` opens the history of the current path. `more` adds keys of the screen. */
export function useHistoryKey(more: Readonly<Record<string, () => void>> = {}): void {
  const navigate = useNavigate()
  const paramsOf = useParamsOf()
  const { path, rev } = useRepositoryLocation()
  const search = rev === undefined ? {} : { rev }
  useShortcuts({
    h: () => void navigate({ to: '/projects/$shortname/repositories/$name/log/$', params: paramsOf(path), search }),
    ...more,
  })
}
