import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { lazyPart } from '../design/lazy-part.tsx'
import type { OpenArtifact } from './artifact-queries.ts'
import { text } from './messages.ts'

const ChooseTracker = lazyPart(async () => (await import('../search/choose-tracker.tsx')).ChooseTracker, {
  close: ({ onClose }) => onClose(),
})

/** The trackers below this one in the hierarchy of the project. */
const childTrackersQuery = (project: number, tracker: number) => ({
  queryKey: ['projects', project, 'trackers', 'below', tracker],
  staleTime: 60_000,
  queryFn: async () => {
    const query = { fields: 'id,parent', limit: 50 }
    const all = await Array.fromAsync(api.list('GET /projects/{id}/trackers', { path: { id: project }, query }))
    return all.flatMap((each) => ('parent' in each && each.parent?.id === tracker ? [each.id] : []))
  },
})

/** Creates an artifact that is a part of this one, in the tracker below its own if there is only one. */
export function useAddSubItem({ artifact, tracker }: OpenArtifact) {
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const { data: below = [] } = useQuery(childTrackersQuery(tracker.project.id, tracker.id))
  const create = (id: number) =>
    void navigate({
      to: '/trackers/$tracker/new',
      params: { tracker: String(id) },
      search: { parent: artifact.id },
    })
  const [only, other] = below
  return {
    begin: () => {
      if (only !== undefined && other === undefined) create(only)
      else setAsking(true)
    },
    dialog: isAsking && (
      <ChooseTracker
        title={text('artifact.sub_item_of', { name: artifact.xref })}
        project={tracker.project.id}
        first={[...below, tracker.id]}
        onPick={create}
        onClose={() => setAsking(false)}
      />
    ),
  }
}
