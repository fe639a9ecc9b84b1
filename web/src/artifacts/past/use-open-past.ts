import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { versionsQuery } from '../artifact-queries.ts'

/** Goes to the version before this one; undefined if there is none. */
export function useOpenPast(id: number): (() => void) | undefined {
  const navigate = useNavigate({ from: '/artifacts/$artifact' })
  const { data } = useInfiniteQuery(versionsQuery(id))
  const latest = data?.pages[0]?.versions[0]?.version ?? 1
  return latest < 2 ? undefined : () => void navigate({ search: { version: latest - 1 } })
}
