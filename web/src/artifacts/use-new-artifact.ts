import { useNavigate } from '@tanstack/react-router'
import type { Failure } from '@waypost/sdk/answer'
import type { Tracker, TrackerField, ValueItem } from '@waypost/sdk/api'
import { useRef, useState } from 'react'
import { api } from '../api.ts'
import type { Call } from '../design/copy.tsx'
import { tell } from '../shell/toasts.ts'
import { text } from './words.ts'
import { defaultDraft, type Draft, isEditable, isEmptyDraft, isSameDraft } from './draft.ts'
import { keepDraft, keptDraft } from './kept-drafts.ts'
import { draftsIn } from './use-editing.ts'

export interface NewDraft {
  /** Those that one may fill in. */
  readonly fields: readonly TrackerField[]
  /** What every artifact of the tracker should say; the others can wait. */
  readonly isNeeded: (field: TrackerField) => boolean
  readonly drafts: ReadonlyMap<number, Draft>
  readonly draftFor: (field: TrackerField) => Draft
  /** It was begun earlier. */
  readonly isKept: boolean
  readonly failure: Failure | undefined
  readonly isSending: boolean
  readonly call: Call
  readonly change: (draft: Draft) => void
  readonly startOver: () => void
  readonly send: () => Promise<void>
}

/** An artifact that is not there yet. What is typed is kept, also over a closed tab. */
export function useNewArtifact(tracker: Tracker, name: string): NewDraft {
  const navigate = useNavigate()
  const fields = tracker.fields.filter((field) => isEditable(field) && field.permissions.includes('create'))
  const [drafts, setDrafts] = useState<ReadonlyMap<number, Draft>>(() => readKept(fields, name))
  const [isKept, setKept] = useState(drafts.size > 0)
  const [failure, setFailure] = useState<Failure>()
  const [isSending, setSending] = useState(false)
  // The same draft is created once, however often it is sent because no answer came.
  const key = useRef(crypto.randomUUID())
  const put = (next: ReadonlyMap<number, Draft>) => {
    key.current = crypto.randomUUID()
    setDrafts(next)
    keepDraft(name, next.size === 0 ? undefined : [...next.values()])
  }
  const draftFor = (field: TrackerField) => drafts.get(field.field_id) ?? defaultDraft(field)
  const body = { tracker: { id: tracker.id }, values: itemsOf(fields, draftFor) }
  const { title, description, contributor } = tracker.semantics
  const meant = new Set([title, description, contributor].map((each) => each?.field_id))

  return {
    fields,
    isNeeded: (field) => field.required || meant.has(field.field_id),
    drafts,
    draftFor,
    isKept,
    failure,
    isSending,
    call: { label: text('call.create'), operation: 'POST /artifacts', body },
    change: (draft) => put(new Map(drafts).set(draft.field_id, draft)),
    startOver: () => {
      setKept(false)
      setFailure(undefined)
      put(new Map())
    },
    send: async () => {
      if (isSending) return
      setSending(true)
      setFailure(undefined)
      const answer = await api.call('POST /artifacts', { body, idempotencyKey: key.current })
      setSending(false)
      if (!answer.ok) {
        setFailure(answer)
        return
      }
      keepDraft(name, undefined)
      tell(text('new.created', { xref: answer.body.xref }))
      await navigate({ to: '/artifacts/$artifact', params: { artifact: String(answer.body.id) } })
    },
  }
}

/** What is filled in, and what was emptied although it begins with something. */
function itemsOf(fields: readonly TrackerField[], draftFor: (field: TrackerField) => Draft): ValueItem[] {
  return fields.flatMap((field) => {
    const draft = draftFor(field)
    return isEmptyDraft(field, draft) && isSameDraft(draft, defaultDraft(field)) ? [] : [draft]
  })
}

function readKept(fields: readonly TrackerField[], name: string): ReadonlyMap<number, Draft> {
  const known = new Set(fields.map(({ field_id }) => field_id))
  const kept = draftsIn(keptDraft(name)).filter(({ field_id }) => known.has(field_id))
  return new Map(kept.map((draft) => [draft.field_id, draft]))
}
