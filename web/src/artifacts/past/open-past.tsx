import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { Button } from '../../design/button.tsx'
import { Icon } from '../../design/icon.tsx'
import { versionsQuery } from '../artifact-queries.ts'
import { text } from './messages.ts'

/** Goes to the version before this one; absent if there is none. */
export function OpenPast({ id }: { readonly id: number }) {
  const navigate = useNavigate({ from: '/artifacts/$artifact' })
  const { data } = useInfiniteQuery(versionsQuery(id))
  const latest = data?.pages[0]?.versions[0]?.version ?? 1
  if (latest < 2) return null
  return (
    <Button
      kind="icon"
      aria-label={text('past.open')}
      onPress={() => void navigate({ search: { version: latest - 1 } })}
    >
      <Icon of={History} />
    </Button>
  )
}
