import { findUsersBy } from '../../accounts/users/find-users-by.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { Details, Reason } from '../../platform/messages/reasons.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { parseInstant } from '../../platform/wire/dates.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element, FieldId, StoredValues } from '../../trackers/tracker.ts'
import type { NewAttachment } from '../attachments/plan-attaching.ts'
import type { ReverseLink } from '../links/link-planning.ts'
import { readComment } from '../update-artifact/comment.ts'
import { buildFieldWriteContext } from '../update-artifact/decide.ts'
import { decideValues, findItems } from '../update-artifact/decide-values.ts'
import { requireCommentLength } from '../update-artifact/schemas.ts'
import { requireValuesSource } from '../update-artifact/update-artifact.ts'
import type { Author, Changes, VersionComment } from '../update-artifact/version-draft.ts'
import type { ImportedVersion, ImportLine } from './import-line.ts'

/** A version that passed all checks. */
export interface DraftedVersion {
  readonly by: AccountId
  readonly on: Date
  readonly changes: Changes
  readonly comment: VersionComment | null
}

/** An artifact that passed all checks. */
export interface DraftedImport {
  readonly line: ImportLine
  readonly versions: readonly DraftedVersion[]
  readonly attached: readonly NewAttachment[]
}

/** The named authors whom the importer may see, by id or login as given. */
export type Authors = ReadonlyMap<number | string, AccountId>

export async function findAuthors(author: Author, lines: readonly ImportLine[]): Promise<Authors> {
  const named = lines.flatMap(({ versions }) => versions.map((version) => version.author))
  const ids = named.filter((each) => typeof each === 'number').filter(Number.isSafeInteger)
  const logins = named.filter((each) => typeof each === 'string')
  const { context, db, viewer } = author
  const byId = await findUsersBy(context, db, viewer, 'id', ids.map(String))
  const byLogin = await findUsersBy(context, db, viewer, 'username', logins)
  return new Map<number | string, AccountId>([
    ...byId.map(({ id }) => [id, id] as const),
    ...byLogin.map(({ name, id }) => [name, id] as const),
  ])
}

/**
 * The access of an import: fields that the importer may submit or update are writable in every version. Workflow,
 * required fields and rules between fields are not applied, because the source had other ones.
 */
export function toImportAccess(access: TrackerAccess): TrackerAccess {
  const mayWrite = (element: Element) => access.maySubmit(element) || access.mayUpdate(element)
  return {
    ...access,
    tracker: { ...access.tracker, workflow: null },
    mayRead: (element) => access.mayRead(element) || mayWrite(element),
    maySubmit: mayWrite,
    mayUpdate: mayWrite,
  }
}

/** Validates the versions of an artifact in order, each on the values that the versions before it left. */
export async function draftImport(
  author: Author,
  access: TrackerAccess,
  authors: Authors,
  line: ImportLine,
): Promise<DraftedImport> {
  const versions: DraftedVersion[] = []
  const attached = new Map<number, NewAttachment>()
  let stored: StoredValues = {}
  let before: Date | undefined
  for (const [at, given] of line.versions.entries()) {
    const path = `versions[${at}]`
    const by = authors.get(given.author)
    if (by === undefined)
      throw new ApiError('reference_unknown', { path: `${path}.author`, rule: 'exists', cause: 'user_unknown' })
    const on = readTime(author, given, `${path}.time`, before)
    before = on
    const beside = { reverse: new Array<ReverseLink>(), attached: new Array<NewAttachment>() }
    const { changes, comment } = await withPath(path, () => decide(author, access, given, stored, beside))
    const [reverse] = beside.reverse
    if (reverse)
      throw new ApiError('field_not_writable', { cause: 'reverse_links_closed', path: `${path}.${reverse.path}` })
    for (const each of beside.attached) attached.set(each.file, each)
    stored = { ...stored, ...Object.fromEntries(changes) }
    // As in a write, a version without a change and a comment is not stored; the first one makes the artifact.
    if (at === 0 || changes.size > 0 || comment) versions.push({ by, on, changes, comment })
  }
  return { line, versions, attached: [...attached.values()] }
}

function readTime({ context, viewer, now }: Author, { time }: ImportedVersion, path: string, before?: Date): Date {
  const on = parseInstant(time, viewer.time_zone ?? context.settings.current.time_zone)
  if (!on) throw new ApiError('parameter_invalid', { path, rule: 'format' })
  if (on > now) throw new ApiError('rule_violated', { path, cause: 'time_in_future' })
  if (before && on <= before) throw new ApiError('rule_violated', { path, cause: 'time_not_rising' })
  return on
}

interface Beside {
  readonly reverse: ReverseLink[]
  readonly attached: NewAttachment[]
}

async function decide(
  author: Author,
  access: TrackerAccess,
  given: ImportedVersion,
  stored: StoredValues,
  beside: Beside,
): Promise<Pick<DraftedVersion, 'changes' | 'comment'>> {
  if (given.values || given.values_by_field) requireValuesSource(given)
  requireCommentLength(given.comment)
  const changes = await decideValues({
    access,
    given: findItems(access, given),
    stored,
    isFree: true,
    isDryRun: false,
    beginning: undefined,
    reading: undefined,
    writing: (element) => ({
      ...buildFieldWriteContext(author, { access, found: undefined }, element, beside),
      stored: stored[String(element.id)],
    }),
  })
  return { changes, comment: given.comment ? readComment(author, access, given.comment) : null }
}

/** Errors of a version name it: `versions[2].values[0]`. */
async function withPath<T>(path: string, decideIt: () => Promise<T>): Promise<T> {
  try {
    return await decideIt()
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error
    const { details } = error
    const within = <D extends Pick<Details, 'path'>>(each: D): D =>
      each.path === undefined ? each : { ...each, path: `${path}.${each.path}` }
    throw new ApiError<Reason>(error.reason, {
      ...within(details),
      ...(details.all && { all: details.all.map(within) }),
    })
  }
}

/** The values after the last version. */
export function finalValues(versions: readonly Pick<DraftedVersion, 'changes'>[]): Map<FieldId, unknown> {
  return new Map(versions.flatMap(({ changes }) => [...changes]))
}
