import { toPlainText } from '../../platform/rich-text/plain-text.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { findGroupIn } from '../../trackers/binds/population.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { NewComment } from './schemas.ts'
import { findTextReferences } from './text-references.ts'
import type { Author, VersionComment } from './version-draft.ts'

/** The comment of a version; null if its text is empty. */
export function readComment(
  { context }: Pick<Author, 'context'>,
  access: TrackerAccess,
  given: NewComment,
): VersionComment | null {
  if (toPlainText('text', given.body) === '') return null
  const { body } = given
  const format = given.format === 'text' || given.format === 'html' ? given.format : 'commonmark'
  const { tracker } = access
  return {
    body,
    format,
    groups: groupsOf(access, given.ugroups),
    references: findTextReferences({ tracker, referenceKinds: context.referenceKinds }, 0, { format, content: body }),
  }
}

/** The groups of a private comment. Refused if the tracker has none, because the comment must not become public. */
function groupsOf({ tracker }: TrackerAccess, given: readonly string[] | undefined): readonly number[] | null {
  if (!given || given.length === 0) return null
  if (!tracker.settings.private_comments)
    throw new ApiError('parameter_not_allowed', { path: 'comment.ugroups', rule: 'one_of', allowed: [] })
  return given.map((name, at) => {
    const group = findGroupIn(tracker, name, false)
    if (group === undefined)
      throw new ApiError('reference_unknown', {
        path: `comment.ugroups[${at}]`,
        rule: 'exists',
        cause: 'group_unknown',
      })
    return group
  })
}
