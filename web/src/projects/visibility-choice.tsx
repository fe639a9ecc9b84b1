import type { Project } from '@waypost/sdk/api'
import { Globe, Lock } from 'lucide-react'
import { useSession } from '../accounts/session.ts'
import { RadioCards } from '../design/radio-cards.tsx'
import { text } from './messages.ts'

export type Visibility = Project['access']

const USUAL = ['private', 'public'] as const satisfies readonly Visibility[]
const WITH_RESTRICTED = [
  'private',
  'private-wo-restr',
  'public',
  'unrestricted',
] as const satisfies readonly Visibility[]

interface Props {
  readonly chosen: Visibility
  readonly onChoose: (visibility: Visibility) => void
}

/** The levels of visibility, each with an explanation. */
export function VisibilityChoice({ chosen, onChoose }: Props) {
  const { data: session } = useSession()
  const levels: readonly Visibility[] = session?.settings.restricted_users === true ? WITH_RESTRICTED : USUAL
  return (
    <RadioCards
      label={text('visibility')}
      name="visibility"
      cards={levels.map((value) => ({
        value,
        label: text(`visibility.${value}`),
        hint: text(`visibility.${value}.hint`),
        icon: value.startsWith('private') ? Lock : Globe,
      }))}
      chosen={chosen}
      onChoose={onChoose}
    />
  )
}
