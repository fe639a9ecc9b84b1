import { useMutation, useQuery } from '@tanstack/react-query'
import { Refusal } from '@waypost/sdk/answer'
import { Star } from 'lucide-react'
import { useSession } from '../accounts/session.ts'
import { api, failureOf } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { text } from '../messages/text.ts'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { favouritesQuery, type ListedKind } from './personal-lists.ts'
import styles from './star.module.css'

const ADD = {
  project: 'PUT /projects/{id}/favourite',
  tracker: 'PUT /trackers/{id}/favourite',
  artifact: 'PUT /artifacts/{id}/favourite',
} as const
const REMOVE = {
  project: 'DELETE /projects/{id}/favourite',
  tracker: 'DELETE /trackers/{id}/favourite',
  artifact: 'DELETE /artifacts/{id}/favourite',
} as const

/** Adds an object to the favourites of the viewer, or removes it. */
export function StarButton({ kind, id }: { readonly kind: ListedKind; readonly id: number }) {
  const { data: session } = useSession()
  const { data: favourites } = useQuery({ ...favouritesQuery, enabled: Boolean(session) })
  const change = useMutation({
    mutationFn: async (isWanted: boolean) => {
      const answer = await api.call((isWanted ? ADD : REMOVE)[kind], { path: { id } })
      if (!answer.ok) throw new Refusal(answer)
    },
    onError: (error) => {
      const failure = failureOf(error)
      if (failure) showRefusal(failure)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: favouritesQuery.queryKey }),
  })
  if (!favourites) return null
  const isOn = change.isPending ? change.variables : favourites.some((each) => each.kind === kind && each.id === id)
  return (
    <span className={styles['star']} data-on={isOn}>
      <Button
        kind="icon"
        aria-label={text('star')}
        tip={text(isOn ? 'star.remove' : 'star.add')}
        aria-pressed={isOn}
        isBusy={change.isPending}
        onPress={() => change.mutate(!isOn)}
      >
        <Icon of={Star} />
      </Button>
    </span>
  )
}
