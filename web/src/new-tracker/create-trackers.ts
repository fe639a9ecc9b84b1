import { useNavigate } from '@tanstack/react-router'
import type { Failure } from '@waypost/sdk/answer'
import type { Operations } from '@waypost/sdk/api'
import { useState } from 'react'
import { api } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'

export type NewTrackerBody = Operations['POST /projects/{id}/trackers']['body']

export interface CreatedTracker {
  readonly id: number
  readonly label: string
}

export interface ProjectPlace {
  readonly id: number
  readonly shortname: string
}

/** Creates trackers one after the other, and opens the tracker, or the project if there are several. */
export function useCreateTrackers({ id: project, shortname }: ProjectPlace) {
  const [failure, setFailure] = useState<Failure>()
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()

  /** `after` runs before the page is left, for example to import rows; it resolves false to stay. */
  const create = async (
    bodies: readonly NewTrackerBody[],
    after?: (tracker: CreatedTracker) => Promise<boolean>,
  ): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    const made: CreatedTracker[] = []
    let refusal: Failure | undefined
    for (const body of bodies) {
      const answer = await api.call('POST /projects/{id}/trackers', { path: { id: project }, body })
      if (!answer.ok) {
        refusal = answer
        break
      }
      made.push({ id: answer.body.id, label: answer.body.label })
    }
    const [first] = made
    const mayLeave = !refusal && first && after ? await after(first) : true
    await queryClient.invalidateQueries({ queryKey: ['projects', project, 'trackers'] })
    setBusy(false)
    if (made.length > 0)
      showToast(text('new_tracker.created', { count: made.length, label: first?.label ?? '' }), {
        undo: () => void takeBack(project, made),
      })
    if (refusal) return setFailure(refusal)
    if (!mayLeave || !first) return undefined
    return made.length === 1
      ? navigate({ to: '/trackers/$id', params: { id: String(first.id) }, search: {} })
      : navigate({ to: '/projects/$shortname', params: { shortname } })
  }
  return { create, failure, isBusy }
}

async function takeBack(project: number, trackers: readonly CreatedTracker[]): Promise<void> {
  for (const { id } of trackers) {
    const answer = await api.call('DELETE /trackers/{id}', { path: { id } })
    if (!answer.ok) return showRefusal(answer)
  }
  await queryClient.invalidateQueries({ queryKey: ['projects', project, 'trackers'] })
  return showToast(text('new_tracker.taken_back', { count: trackers.length }))
}

/** The message for one member of the document, to show beside its input. */
export function problemAt(failure: Failure | undefined, path: string): string | undefined {
  return failure?.details.path === path ? failure.message : undefined
}
