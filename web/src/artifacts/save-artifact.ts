import type { Failure } from '@waypost/sdk/answer'
import type { TrackerField, Value } from '@waypost/sdk/api'
import { api, failureOf } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { artifactQuery, lookAgain, type OpenArtifact, valueOf } from './artifact-queries.ts'
import { type Draft, draftOf, isSameDraft, itemOf } from './draft.ts'
import { optimisticValue } from './optimistic-value.ts'

/** What somebody saw when they began to write. */
export interface Base {
  readonly etag: string | undefined
  readonly values: readonly Value[]
}

export interface Clash {
  readonly field: TrackerField
  readonly base: Value | undefined
  readonly theirs: Value | undefined
  readonly mine: Draft
}

export type Saved =
  /** `merged`: somebody has changed other fields meanwhile, and both are kept. */
  | { readonly kind: 'saved'; readonly merged: boolean; readonly undo: (() => Promise<Saved>) | undefined }
  | { readonly kind: 'clash'; readonly clashes: readonly Clash[]; readonly now: OpenArtifact }
  | { readonly kind: 'refused'; readonly failure: Failure }

const TURNS = 4

export function baseOf({ artifact, etag }: OpenArtifact): Base {
  return { etag, values: artifact.values ?? [] }
}

/**
 * Writes what differs from what was seen. The change shows at once; a refusal takes it back. Whoever was faster is never
 * overwritten unseen: other fields are merged, the same field is asked about.
 */
export async function saveArtifact(id: number, base: Base, drafts: readonly Draft[], comment: string): Promise<Saved> {
  const { queryKey } = artifactQuery(id)
  const shown = queryClient.getQueryData(queryKey)
  if (!shown) return { kind: 'refused', failure: nothingThere() }
  const { fields } = shown.tracker
  const before = (draft: Draft) => draftOf(fieldOf(fields, draft), inBase(base, draft))
  const changed = drafts.filter((draft) => !isSameDraft(draft, before(draft)))
  const body = {
    values: changed.map((draft) => itemOf(draft, before(draft))),
    ...(comment.trim() !== '' && { comment: { body: comment, format: 'commonmark' } }),
  }
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, withDrafts(shown, changed))
  let { etag } = base
  for (let turn = 1; ; turn++) {
    const answer = await api.call('PUT /artifacts/{id}', {
      path: { id },
      body,
      ...(etag !== undefined && { ifMatch: etag }),
    })
    if (answer.ok) {
      // The form may be another one in the state that it is in now; and the tag is that of the version.
      queryClient.setQueryData(queryKey, {
        ...shown,
        artifact: { ...answer.body, tracker: shown.tracker },
        etag: answer.etag,
      })
      void lookAgain(id)
      const undo =
        comment.trim() === '' ? () => saveArtifact(id, seen(answer.etag, changed), changed.map(before), '') : undefined
      return { kind: 'saved', merged: turn > 1, undo: changed.length > 0 ? undo : undefined }
    }
    queryClient.setQueryData(queryKey, shown)
    if (answer.reason !== 'version_mismatch' || turn === TURNS) {
      void queryClient.invalidateQueries({ queryKey, exact: true })
      return { kind: 'refused', failure: answer }
    }
    const now = await readAgain(id)
    if (!('artifact' in now)) return { kind: 'refused', failure: now }
    const clashes = clashesOf(base, changed, now)
    if (clashes.length > 0) return { kind: 'clash', clashes, now }
    etag = now.etag
  }

  /** What undo begins with is what was just written. */
  function seen(tag: string | undefined, written: readonly Draft[]): Base {
    const now = queryClient.getQueryData(queryKey)?.artifact.values ?? []
    return { etag: tag, values: now.filter(({ field_id }) => written.some((draft) => draft.field_id === field_id)) }
  }
}

/** Fields that both have changed, to something else. */
function clashesOf(base: Base, drafts: readonly Draft[], now: OpenArtifact): readonly Clash[] {
  return drafts.flatMap((mine) => {
    const field = fieldOf(now.tracker.fields, mine)
    const [was, theirs] = [inBase(base, mine), valueOf(now.artifact, mine.field_id)]
    const is = draftOf(field, theirs)
    const isTouched = !isSameDraft(is, draftOf(field, was)) && !isSameDraft(is, mine)
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

function withDrafts(shown: OpenArtifact, drafts: readonly Draft[]): OpenArtifact {
  const { artifact, tracker } = shown
  const others = (artifact.values ?? []).filter(({ field_id }) => !drafts.some((draft) => draft.field_id === field_id))
  const mine = drafts.flatMap(
    (draft) => optimisticValue(fieldOf(tracker.fields, draft), draft, valueOf(artifact, draft.field_id)) ?? [],
  )
  const title = mine.find(({ field_id }) => field_id === tracker.semantics.title?.field_id)?.['value']
  return {
    ...shown,
    artifact: { ...artifact, values: [...others, ...mine], ...(typeof title === 'string' && { title }) },
  }
}

function fieldOf(fields: readonly TrackerField[], { field_id }: Draft): TrackerField {
  const field = fields.find((each) => each.field_id === field_id)
  if (!field) throw new Error(`The form has lost its field ${field_id}.`)
  return field
}

function inBase({ values }: Base, { field_id }: Draft): Value | undefined {
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
