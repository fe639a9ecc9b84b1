import type { TrackerField } from '@waypost/sdk/api'
import { type RefObject, useRef, useState } from 'react'

/** The field whose picker is open, and the element beside which it opens. */
export function usePickedField(page: RefObject<HTMLElement | null>) {
  const [picked, setPicked] = useState<TrackerField>()
  const anchor = useRef<HTMLElement>(null)
  return {
    picked,
    anchor,
    open: (field: TrackerField) => {
      const row = page.current?.querySelector<HTMLElement>(`[data-field="${field.field_id}"]`)
      row?.scrollIntoView({ block: 'nearest' })
      anchor.current = row ?? page.current
      setPicked(field)
    },
    close: () => setPicked(undefined),
  }
}
