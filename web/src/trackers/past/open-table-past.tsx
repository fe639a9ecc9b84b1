import { History } from 'lucide-react'
import { useState } from 'react'
import { Refusal } from '@waypost/sdk/answer'
import { Button } from '../../design/button.tsx'
import { Icon } from '../../design/icon.tsx'
import { showRefusal } from '../../shell/show-refusal.ts'
import { showToast } from '../../design/toasts.ts'
import { loadLatestPast } from './change-counts.ts'
import { text } from './messages.ts'

interface Props {
  readonly tracker: number
  readonly onOpen: (at: string) => void
}

/** Goes to the state before the last change of the tracker. */
export function OpenTablePast({ tracker, onOpen }: Props) {
  const [isBusy, setBusy] = useState(false)
  const open = async () => {
    setBusy(true)
    try {
      const at = await loadLatestPast(tracker)
      if (at === undefined) showToast(text('past.no_history'))
      else onOpen(at)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      showRefusal(error.failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button kind="icon" aria-label={text('past.open')} isBusy={isBusy} onPress={() => void open()}>
      <Icon of={History} />
    </Button>
  )
}
