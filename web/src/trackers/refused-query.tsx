import { SearchX } from 'lucide-react'
import { Button } from '../design/button.tsx'
import { Empty } from '../design/page.tsx'
import { text } from './messages.ts'

/** Stands instead of the rows; the query line shows the faults. */
export function RefusedQuery({ onClear }: { onClear: () => void }) {
  return (
    <div role="status">
      <Empty icon={SearchX} action={<Button onPress={onClear}>{text('table.clear')}</Button>}>
        {text('filter.refused')}
      </Empty>
    </div>
  )
}
