import type { Failure } from '@waypost/sdk/answer'
import type { TrackerField, AnyValue as Value } from '@waypost/sdk/api'
import { api, failureOf } from '../api.ts'
import { isSameDraft, optimisticValue, toDraft, toValueItem } from '../field-types/drafts.ts'
import type { ValueDraft } from '../field-types/field-type.ts'
import { sessionQuery } from '../accounts/session.ts'
import { queryClient } from '../query-client.ts'
import { isWorkflowField } from './choices.ts'
import { isKnownValue } from './known-value.ts'
import { artifactQuery, invalidateArtifact, type OpenArtifact, fieldValue } from './artifact-queries.ts'

/** The state of the artifact when editing began. */
export interface EditBase {
  readonly etag: string | undefined
  readonly values: readonly Value[]
}

export interface FieldConflict {
  readonly field: TrackerField
  readonly base: Value | undefined
  readonly theirs: Value | undefined
  readonly mine: ValueDraft
}

export type SaveResult =
  /** `merged`: another person changed other fields in the meantime, and both changes are kept. */
  | { readonly kind: 'saved'; readonly merged: boolean; readonly undo: (() => Promise<SaveResult>) | undefined }
  | { readonly kind: 'clash'; readonly clashes: readonly FieldConflict[]; readonly now: OpenArtifact }
  | { readonly kind: 'refused'; readonly failure: Failure }

const MAX_MERGE_ATTEMPTS = 4

export function baseOf({ artifact, etag }: OpenArtifact): EditBase {
  return { etag, values: artifact.values ?? [] }
}

/**
 * Writes the changed fields optimistically; a refusal rolls them back. On a version conflict, changes to different
 * fields are merged and changes to the same field are returned as a clash.
 */
export async function saveArtifact(
  id: number,
  base: EditBase,
  drafts: readonly ValueDraft[],
  comment: string,
): Promise<SaveResult> {
  const { queryKey } = artifactQuery(id)
  const shown = queryClient.getQueryData(queryKey)
  if (!shown) return { kind: 'refused', failure: nothingThere() }
  const { tracker } = shown
  const { fields } = tracker
  const before = (draft: ValueDraft) => toDraft(fieldOf(fields, draft), inBase(base, draft))
  const changed = drafts.filter((draft) => !isSameDraft(draft, before(draft)))
  const body = {
    values: changed.map((draft) => toValueItem(fieldOf(fields, draft), draft, before(draft))),
    ...(comment.trim() !== '' && { comment: { body: comment, format: 'commonmark' } }),
  }
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, withDrafts(shown, changed))
  let { etag } = base
  let isOthers = false
  for (let turn = 1; ; turn++) {
    const answer = await api.call('PUT /artifacts/{id}', {
      path: { id },
      body,
      ...(etag !== undefined && { ifMatch: etag }),
    })
    if (answer.ok) {
      // The form may differ in the new state; the ETag belongs to the new version.
      queryClient.setQueryData(queryKey, {
        ...shown,
        artifact: { ...answer.body, tracker },
        etag: answer.etag,
      })
      void invalidateArtifact(id)
      const undo = () => saveArtifact(id, seen(answer.etag, changed), changed.map(before), '')
      const mayUndo = changed.length > 0 && comment.trim() === '' && (await mayTakeBack())
      return { kind: 'saved', merged: isOthers, undo: mayUndo ? undo : undefined }
    }
    queryClient.setQueryData(queryKey, shown)
    if (answer.reason !== 'version_mismatch' || turn === MAX_MERGE_ATTEMPTS) {
      void queryClient.invalidateQueries({ queryKey, exact: true })
      return { kind: 'refused', failure: answer }
    }
    const now = await readAgain(id)
    if (!('artifact' in now)) return { kind: 'refused', failure: now }
    const clashes = findConflicts(base, changed, now)
    if (clashes.length > 0) return { kind: 'clash', clashes, now }
    etag = now.etag
    const { user } = queryClient.getQueryData(sessionQuery.queryKey) ?? {}
    isOthers ||= now.artifact.last_update_by_user.id !== user?.id
  }

  /** A step of the workflow may have no way back, or not for this person; the server knows. */
  async function mayTakeBack(): Promise<boolean> {
    const isStep = changed.some((draft) => isWorkflowField(tracker, fieldOf(fields, draft)))
    if (!isStep) return true
    const values = changed.map((draft) => toValueItem(fieldOf(fields, draft), before(draft), draft))
    const { ok } = await api.dryRun('PUT /artifacts/{id}', { path: { id }, body: { values } })
    return ok
  }

  /** The base for undo: the version that was just written. */
  function seen(tag: string | undefined, written: readonly ValueDraft[]): EditBase {
    const now = queryClient.getQueryData(queryKey)?.artifact.values ?? []
    return { etag: tag, values: now.filter(({ field_id }) => written.some((draft) => draft.field_id === field_id)) }
  }
}

/** Fields that both sides changed to different values. */
function findConflicts(base: EditBase, drafts: readonly ValueDraft[], now: OpenArtifact): readonly FieldConflict[] {
  return drafts.flatMap((mine) => {
    const field = fieldOf(now.tracker.fields, mine)
    const [was, theirs] = [inBase(base, mine), fieldValue(now.artifact, mine.field_id)]
    const is = toDraft(field, theirs)
    const isTouched = !isSameDraft(is, toDraft(field, was)) && !isSameDraft(is, mine)
    return isTouched ? [{ field, base: was, theirs, mine }] : []
  })
}

async function readAgain(id: number): Promise<OpenArtifact | Failure> {
  try {
    return await queryClient.fetchQuery({ ...artifactQuery(id), staleTime: 0 })
  } catch (error) {
    const failure = failureOf(error)
    if (failure) return failure
    throw error
  }
}

function withDrafts(shown: OpenArtifact, drafts: readonly ValueDraft[]): OpenArtifact {
  const { artifact, tracker } = shown
  const others = (artifact.values ?? []).filter(({ field_id }) => !drafts.some((draft) => draft.field_id === field_id))
  const mine = drafts.flatMap(
    (draft) => optimisticValue(fieldOf(tracker.fields, draft), draft, fieldValue(artifact, draft.field_id)) ?? [],
  )
  const title = mine.find(({ field_id }) => field_id === tracker.semantics.title?.field_id)?.['value']
  return {
    ...shown,
    artifact: {
      ...artifact,
      values: [...others, ...mine.filter(isKnownValue)],
      ...(typeof title === 'string' && { title }),
    },
  }
}

function fieldOf(fields: readonly TrackerField[], { field_id }: ValueDraft): TrackerField {
  const field = fields.find((each) => each.field_id === field_id)
  if (!field) throw new Error(`The form has lost its field ${field_id}.`)
  return field
}

function inBase({ values }: EditBase, { field_id }: ValueDraft): Value | undefined {
  return values.find((value) => value.field_id === field_id)
}

function nothingThere(): Failure {
  return {
    ok: false,
    status: 0,
    reason: 'unreachable',
    message: '',
    details: {},
    request_id: undefined,
    retryAfterSeconds: undefined,
  }
}
