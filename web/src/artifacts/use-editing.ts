import type { Failure } from '@waypost/sdk/answer'
import type { TrackerField } from '@waypost/sdk/api'
import { useState } from 'react'
import { tell } from '../shell/toasts.ts'
import { refusalText } from '../design/refusal.tsx'
import { text } from './words.ts'
import { type OpenArtifact, valueOf } from './artifact-queries.ts'
import { type ChoiceKey } from './choices.ts'
import { type Draft, draftKeys, draftOf, storedKeys } from './draft.ts'
import { keepDraft, keptDraft } from './kept-drafts.ts'
import { isRecord, numberIn, recordsIn, textIn } from './loose.ts'
import { type Base, baseOf, type Clash, type Saved, saveArtifact } from './save-artifact.ts'

/** What somebody is writing into an artifact: several fields at once, saved as one version. */
export interface Editing {
  readonly drafts: readonly Draft[]
  readonly isSaving: boolean
  readonly failure: Failure | undefined
  /** What is wrong with a field, by the refusal. */
  readonly problemOf: (fieldId: number) => string | undefined
  readonly draftFor: (fieldId: number) => Draft | undefined
  /** What is chosen in a list, in the draft or as it is stored. */
  readonly chosen: (fieldId: number) => readonly ChoiceKey[]
  readonly clash: { readonly clashes: readonly Clash[]; readonly now: OpenArtifact } | undefined
  readonly begin: (field: TrackerField) => void
  readonly change: (draft: Draft) => void
  readonly drop: (fieldId: number) => void
  readonly dropAll: () => void
  /** What is written below, not sent yet. */
  readonly comment: string
  readonly say: (comment: string) => void
  /** Whether it is saved. */
  readonly save: (how?: { withComment: boolean }) => Promise<boolean>
  /** Goes on from what is stored now, with what was decided of the fields that both changed. */
  readonly settle: (decided: ReadonlyMap<number, Draft | undefined>) => Promise<boolean>
  readonly leaveClash: () => void
}

interface Kept {
  readonly base: Base
  readonly drafts: readonly Draft[]
  readonly comment: string
}

export function useEditing(open: OpenArtifact, name: string): Editing {
  const { id } = open.artifact
  const [kept, setKept] = useState<Kept>(() => readKept(name, open))
  const [failure, setFailure] = useState<Failure>()
  const [isSaving, setSaving] = useState(false)
  const [clash, setClash] = useState<Editing['clash']>()
  const [isWithComment, setWithComment] = useState(false)
  const put = (next: Kept) => {
    setKept(next)
    keepDraft(name, next.drafts.length === 0 && next.comment === '' ? undefined : keptForm(next))
  }
  const { base, drafts, comment } = kept

  const settleSaved = (saved: Saved, before: Kept): boolean => {
    if (saved.kind === 'saved') {
      setClash(undefined)
      const { undo } = saved
      tell(text(saved.merged ? 'artifact.merged' : 'saved'), undo ? { undo: () => void takeBack(undo) } : {})
      return true
    }
    put(before)
    if (saved.kind === 'clash') setClash({ clashes: saved.clashes, now: saved.now })
    else setFailure(saved.failure)
    return false
  }
  const write = async (from: Kept, withComment: boolean): Promise<boolean> => {
    setSaving(true)
    setFailure(undefined)
    setWithComment(withComment)
    const said = withComment ? from.comment : ''
    put({ base: baseOf(open), drafts: [], comment: withComment ? '' : from.comment })
    const saved = await saveArtifact(id, from.base, from.drafts, said)
    setSaving(false)
    return settleSaved(saved, from)
  }

  return {
    drafts,
    isSaving,
    failure,
    clash,
    comment,
    say: (said) => put({ ...kept, comment: said }),
    problemOf: (fieldId) => problemIn(failure, fieldId),
    draftFor: (fieldId) => drafts.find(({ field_id }) => field_id === fieldId),
    chosen: (fieldId) => {
      const draft = drafts.find(({ field_id }) => field_id === fieldId)
      return draft ? draftKeys(draft) : storedKeys(valueOf(open.artifact, fieldId))
    },
    begin: (field) => {
      if (drafts.some(({ field_id }) => field_id === field.field_id)) return
      // Fields are compared with what they were when the first of them was opened.
      const from = drafts.length === 0 ? baseOf(open) : base
      const stored = from.values.find(({ field_id }) => field_id === field.field_id)
      put({ ...kept, base: from, drafts: [...drafts, draftOf(field, stored)] })
    },
    change: (draft) =>
      put({ ...kept, drafts: drafts.map((each) => (each.field_id === draft.field_id ? draft : each)) }),
    drop: (fieldId) => {
      setFailure(undefined)
      put({ ...kept, drafts: drafts.filter(({ field_id }) => field_id !== fieldId) })
    },
    dropAll: () => {
      setFailure(undefined)
      put({ ...kept, drafts: [] })
    },
    save: ({ withComment } = { withComment: false }) =>
      write(drafts.length === 0 ? { ...kept, base: baseOf(open) } : kept, withComment),
    settle: (decided) => {
      if (!clash) return Promise.resolve(false)
      const mine = drafts.flatMap((draft) =>
        decided.has(draft.field_id) ? (decided.get(draft.field_id) ?? []) : draft,
      )
      return write({ base: baseOf(clash.now), drafts: mine, comment }, isWithComment)
    },
    leaveClash: () => setClash(undefined),
  }
}

async function takeBack(undo: () => Promise<Saved>): Promise<void> {
  const saved = await undo()
  if (saved.kind === 'saved') tell(text('artifact.taken_back'))
  else tell(saved.kind === 'refused' ? refusalText(saved.failure) : text('artifact.changed_since'), { isTrouble: true })
}

/** The sentence about this field, of all that the server said. */
export function problemIn(failure: Failure | undefined, fieldId: number): string | undefined {
  const problems = failure?.details.all?.filter(({ field_id }) => field_id === fieldId) ?? []
  return problems.length === 0 ? undefined : problems.map(({ message }) => message).join(' ')
}

/** Only what is written is kept, and what it was. */
function keptForm({ base, drafts, comment }: Kept): object {
  const ids = drafts.map(({ field_id }) => field_id)
  return { etag: base.etag, values: base.values.filter(({ field_id }) => ids.includes(field_id)), drafts, comment }
}

function readKept(name: string, open: OpenArtifact): Kept {
  const kept = keptDraft(name)
  const known = new Set(open.tracker.fields.map(({ field_id }) => field_id))
  const drafts = draftsIn(isRecord(kept) ? kept['drafts'] : []).filter(({ field_id }) => known.has(field_id))
  const comment = textIn(isRecord(kept) ? kept['comment'] : '')
  if (!isRecord(kept) || drafts.length === 0) return { base: baseOf(open), drafts: [], comment }
  const values = recordsIn(kept['values']).map((value) => ({
    ...value,
    field_id: numberIn(value['field_id']) ?? 0,
    type: textIn(value['type']),
    label: textIn(value['label']),
  }))
  // Fields that are opened later are compared with what they are now.
  const others = (open.artifact.values ?? []).filter(
    ({ field_id }) => !drafts.some((draft) => draft.field_id === field_id),
  )
  return { base: { etag: textIn(kept['etag']) || undefined, values: [...values, ...others] }, drafts, comment }
}

export function draftsIn(given: unknown): readonly Draft[] {
  return recordsIn(given).flatMap((draft) => {
    const field_id = numberIn(draft['field_id'])
    return field_id === undefined ? [] : [{ ...draft, field_id }]
  })
}
