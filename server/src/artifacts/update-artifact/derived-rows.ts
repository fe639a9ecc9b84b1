import type { Origin } from '../../platform/database/audit.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element, FieldId, StoredValues } from '../../trackers/tracker.ts'
import type { Artifact } from '../artifact.ts'
import { type StoredLink, storedLinkRows } from '../links/link-field.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import { compareReferences, type ReferenceScope, type TextReference } from './text-references.ts'
import type { Author, Changes, VersionComment, VersionDraft } from './version-draft.ts'

interface IndexRow {
  readonly field: FieldId
  readonly value: number
}

interface Difference<T> {
  readonly added: readonly T[]
  readonly removed: readonly T[]
}

/** Rows derived from new values: indexes, links, references and people. */
export interface DerivedRows {
  readonly people: readonly AccountId[]
  readonly restricted_to: readonly number[] | null
  readonly ids: Difference<IndexRow>
  readonly numbers: Difference<IndexRow>
  readonly links: Difference<StoredLink>
  readonly references: Difference<TextReference>
  /** The fields of the full-text index, if the words of one of them changed. */
  readonly worded: readonly FieldId[]
}

/** Everything that a version writes. */
export interface NewVersion {
  /** The differences, as JSON. */
  readonly changes: string
  readonly derived: DerivedRows
  readonly comment: VersionComment | null
  readonly origin: Origin
  readonly event: { readonly type: string; readonly payload: object }
  readonly author: AccountId | null
  readonly now: Date
}

type VersionContent = Pick<VersionDraft, 'changes' | 'comment' | 'transition'>

interface VersionTarget {
  readonly access: Pick<TrackerAccess, 'tracker'>
  /** Undefined for a new artifact. */
  readonly found: Pick<FoundArtifact, 'artifact'> | undefined
}

export function buildVersion(
  { context, viewer, now }: Pick<Author, 'context' | 'viewer' | 'now'>,
  { access, found }: VersionTarget,
  draft: VersionContent,
  origin: Origin,
): NewVersion {
  const scope = { tracker: access.tracker, referenceKinds: context.referenceKinds }
  return {
    changes: JSON.stringify(Object.fromEntries(draft.changes)),
    derived: deriveRows(scope, found?.artifact.field_values ?? {}, draft.changes),
    comment: draft.comment,
    origin,
    event: versionEvent(access.tracker, found?.artifact, draft),
    author: viewer.account_id ?? null,
    now,
  }
}

/** The feed event of a version. Visibility is checked when the event is read. */
function versionEvent(
  tracker: LoadedTracker,
  before: Artifact | undefined,
  { changes, comment, transition }: VersionContent,
): NewVersion['event'] {
  const status = tracker.semantics.status?.field_id
  const jobs = transition?.actions.filter(({ type }) => type === 'run_job').map(({ id }) => id) ?? []
  return {
    type: before ? 'artifact.updated' : 'artifact.created',
    payload: {
      changed: [...changes.keys()],
      has_comment: comment !== null,
      // Job ids only: a job URL may contain a secret, and the feed has many readers.
      ...(jobs.length > 0 && { jobs }),
      ...(comment?.groups && { comment_groups: comment.groups }),
      ...(before &&
        status !== undefined &&
        changes.has(status) && {
          transition: {
            field_id: status,
            from: firstNumber(before.field_values[String(status)]),
            to: firstNumber(changes.get(status)),
          },
        }),
    },
  }
}

function firstNumber(stored: unknown): number | null {
  return Array.isArray(stored) && typeof stored[0] === 'number' ? stored[0] : null
}

export function deriveRows(scope: ReferenceScope, before: StoredValues, changes: Changes): DerivedRows {
  const { tracker } = scope
  const after: StoredValues = { ...before, ...Object.fromEntries(changes) }
  const changed = [...changes.keys()].flatMap((id) => tracker.byId.get(id) ?? [])
  const changesTexts = changed.some(isWorded)
  return {
    people: [...new Set(tracker.elements.flatMap((element) => peopleIn(element, after)))],
    restricted_to: restrictionIn(tracker, after),
    ...compareIndexes(changed, before, after),
    links: compareLinks(changed, before, after),
    references: changesTexts ? compareReferences(scope, changed, before, after) : { added: [], removed: [] },
    worded: changesTexts ? tracker.elements.filter(isWorded).map(({ id }) => id) : [],
  }
}

export function isWorded(element: Element): boolean {
  return fieldTypeOf(element).texts !== undefined
}

function peopleIn(element: Element, values: StoredValues): readonly AccountId[] {
  const stored = values[String(element.id)]
  return stored === undefined ? [] : (fieldTypeOf(element).people?.(stored, element) ?? [])
}

/** The restriction is stored even while its field is unused and it has no effect: the field may be used again. */
function restrictionIn({ elements }: LoadedTracker, values: StoredValues): readonly number[] | null {
  const fields = elements.filter((element) => fieldTypeOf(element).controlsVisibility)
  const isStored = ({ id }: Element) => Array.isArray(values[String(id)])
  const field = fields.find(({ is_used }) => is_used) ?? fields.find(isStored)
  const stored = field && values[String(field.id)]
  return Array.isArray(stored) ? stored : null
}

function compareIndexes(
  changed: readonly Element[],
  before: StoredValues,
  after: StoredValues,
): Record<'ids' | 'numbers', Difference<IndexRow>> {
  const ids = { added: new Array<IndexRow>(), removed: new Array<IndexRow>() }
  const numbers = { added: new Array<IndexRow>(), removed: new Array<IndexRow>() }
  for (const element of changed) {
    const type = fieldTypeOf(element)
    const [was, is] = [before, after].map((values) => {
      const stored = values[String(element.id)]
      return stored === undefined ? undefined : type.index?.(stored, element)
    })
    compareRows(element.id, was?.ids, is?.ids, ids)
    compareRows(element.id, was?.numbers, is?.numbers, numbers)
  }
  return { ids, numbers }
}

const NOTHING: readonly number[] = []

function compareRows(
  field: FieldId,
  was: readonly number[] = NOTHING,
  is: readonly number[] = NOTHING,
  { added, removed }: Record<'added' | 'removed', IndexRow[]>,
): void {
  for (const value of new Set(is)) if (!was.includes(value)) added.push({ field, value })
  for (const value of new Set(was)) if (!is.includes(value)) removed.push({ field, value })
}

/** A link with a changed type counts as added: the upsert updates the type. */
function compareLinks(changed: readonly Element[], before: StoredValues, after: StoredValues): Difference<StoredLink> {
  const field = changed.find((element) => fieldTypeOf(element).holdsLinks)
  if (!field) return { added: [], removed: [] }
  const was = storedLinkRows(before[String(field.id)])
  const is = storedLinkRows(after[String(field.id)])
  return {
    added: is.filter(({ target, type }) => !was.some((each) => each.target === target && each.type === type)),
    removed: was.filter(({ target }) => !is.some((each) => each.target === target)),
  }
}
