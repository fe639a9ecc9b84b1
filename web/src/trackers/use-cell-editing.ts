import type { Artifact, TrackerField, Value } from '@waypost/sdk/api'
import { useRef, useState } from 'react'
import { artifactQuery, valueOf } from '../artifacts/artifact-queries.ts'
import { type Draft, mayUpdate } from '../artifacts/draft.ts'
import { optimisticValue } from '../artifacts/optimistic-value.ts'
import { type Base, type Clash, saveArtifact, type Saved } from '../artifacts/save-artifact.ts'
import { refusalText } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import { tell } from '../shell/toasts.ts'
import { text } from './words.ts'
import type { RowLoader } from './row-loader.ts'

/** A cell that somebody writes in. */
export interface CellEdit {
  readonly id: number
  readonly xref: string
  readonly field: TrackerField
  /** What was written before it was refused; undefined: nothing yet. */
  readonly draft: Draft | undefined
  /** Why it was refused. */
  readonly refusal: string | undefined
  /** Somebody else was faster. */
  readonly clash: { readonly clash: Clash; readonly base: Base; readonly who: string } | undefined
}

/** One cell at a time. A change shows at once; what is refused comes back with what was written. */
export function useCellEditing(loader: RowLoader | undefined) {
  const [edit, setEdit] = useState<CellEdit>()
  const waiting = useRef<CellEdit[]>([])

  const begin = ({ id, xref }: Artifact, field: TrackerField) => {
    if (mayUpdate(field)) setEdit({ id, xref, field, draft: undefined, refusal: undefined, clash: undefined })
    else tell(text('table.read_only', { field: field.label }))
  }
  const end = () => setEdit(waiting.current.shift())
  const comeBack = (refused: CellEdit) => {
    setEdit((current) => {
      if (current) waiting.current.push(refused)
      return current ?? refused
    })
  }
  const show = (id: number, field: TrackerField, value: Value | undefined) =>
    loader?.store.show(id, field.field_id, value)

  const save = async (cell: CellEdit, base: Base, draft: Draft) => {
    const { id, field } = cell
    const before = base.values.find(({ field_id }) => field_id === field.field_id)
    end()
    show(id, field, optimisticValue(field, draft, before))
    const saved = await saveArtifact(id, base, [draft], '')
    settle(saved, { ...cell, draft, refusal: undefined, clash: undefined }, before)
  }

  const settle = (saved: Saved, cell: CellEdit, before: Value | undefined) => {
    const { id, field, xref } = cell
    const { artifact } = queryClient.getQueryData(artifactQuery(id).queryKey) ?? {}
    switch (saved.kind) {
      case 'saved': {
        if (artifact) loader?.store.replace(artifact, performance.now())
        const { undo } = saved
        const takeBack = async () => {
          if (!undo) return
          show(id, field, before)
          settle(await undo(), { ...cell, draft: undefined }, artifact && valueOf(artifact, field.field_id))
        }
        tell(text('table.saved', { name: xref, field: field.label }), undo ? { undo: () => void takeBack() } : {})
        break
      }
      case 'clash': {
        const { artifact: now, etag } = saved.now
        const [clash] = saved.clashes
        show(id, field, clash?.theirs)
        const person = now.last_update_by_user
        const who = person.real_name ?? person.display_name
        if (clash) comeBack({ ...cell, clash: { clash, base: { etag, values: now.values ?? [] }, who } })
        break
      }
      case 'refused':
        show(id, field, before)
        comeBack({ ...cell, refusal: refusalText(saved.failure) })
        break
      default:
        saved satisfies never
    }
  }
  return { edit, begin, end, save }
}
