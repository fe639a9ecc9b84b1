import { useNavigate } from '@tanstack/react-router'
import { ChooseTracker } from './choose-tracker.tsx'
import { text } from './messages.ts'

interface Props {
  readonly project: number | undefined
  readonly onClose: () => void
}

/** Asks for a tracker, and opens the form for a new artifact there. */
export function NewArtifact({ project, onClose }: Props) {
  const navigate = useNavigate()
  return (
    <ChooseTracker
      title={text('create.title')}
      project={project}
      onPick={(id) => void navigate({ to: '/trackers/$tracker/new', params: { tracker: String(id) } })}
      onClose={onClose}
    />
  )
}
