import { plainText } from '../../platform/texts/plain-text.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { findGroupIn } from '../../trackers/binds/population.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Author } from './draft-version.ts'
import { findIn } from './effects.ts'
import type { Comment } from './parts.ts'
import type { NewComment } from './schemas.ts'

/** The comment of a version; null: there is none. */
export function readComment({ context }: Author, sight: Sight, given: NewComment | null | undefined): Comment | null {
  if (!given || plainText('text', given.body) === '') return null
  const { body } = given
  const format = given.format === 'text' || given.format === 'html' ? given.format : 'commonmark'
  const { tracker } = sight
  return {
    body,
    format,
    groups: groupsOf(sight, given.ugroups),
    references: findIn({ tracker, referenceKinds: context.referenceKinds }, 0, { format, content: body }),
  }
}

/** Comments for some only, where the tracker has them. What is meant for few is never shown to all instead. */
function groupsOf({ tracker }: Sight, given: readonly string[] | undefined): readonly number[] | null {
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
