import { ApiError } from '../platform/words/errors.ts'

/** Everything that the feed tells. What a room records beyond these is for the server itself. */
export const EVENT_TYPES = [
  'artifact.created',
  'artifact.updated',
  'artifact.deleted',
  'artifact.restored',
  'artifact.moved',
  'artifact.purged',
  'comment.added',
  'comment.edited',
  'tracker.created',
  'tracker.changed',
  'tracker.deleted',
  'tracker.restored',
  'project.created',
  'project.changed',
  'member.added',
  'member.removed',
  'svn.commit',
  'svn.created',
  'svn.changed',
  'svn.deleted',
  'rights.changed',
] as const

/** `artifact.*,svn.commit`; absent: all. */
export function readTypes(given: string | undefined, path = 'types'): readonly string[] {
  if (given === undefined) return EVENT_TYPES
  const names = given.split(',').map((name) => name.trim())
  const found = names.flatMap((name) => {
    const meant = name.endsWith('*') ? startingWith(name.slice(0, -1)) : EVENT_TYPES.filter((type) => type === name)
    if (meant.length > 0) return meant
    throw new ApiError('parameter_not_allowed', { path, rule: 'one_of', allowed: [...EVENT_TYPES] })
  })
  return [...new Set(found)]
}

function startingWith(prefix: string): readonly string[] {
  return EVENT_TYPES.filter((type) => type.startsWith(prefix))
}
