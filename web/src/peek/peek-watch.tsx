import { useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { watchQuery } from '../artifacts/artifact-queries.ts'
import { toggleWatch } from '../artifacts/watch.tsx'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { text } from './messages.ts'

/** Watches all changes of the artifact, or returns to the level of its tracker. */
export function PeekWatch({ id }: { readonly id: number }) {
  const { data: watch } = useQuery(watchQuery(id))
  const isOn = watch !== undefined && watch.inherited_from === null
  return (
    <Button kind="icon" aria-label={text('peek.watch')} aria-pressed={isOn} onPress={() => void toggleWatch(id)}>
      <Icon of={Eye} />
    </Button>
  )
}
