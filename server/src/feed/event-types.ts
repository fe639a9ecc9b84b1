import { ApiError } from '../platform/messages/errors.ts'

/** Event types that the feed publishes. Other recorded events are internal to the server. */
export const EVENT_TYPES = [
  'artifact.created',
  'artifact.updated',
  'artifact.deleted',
  'artifact.restored',
  'artifact.moved',
  'artifact.purged',
  'artifact.ranked',
  'comment.added',
  'comment.edited',
  'tracker.created',
  'tracker.changed',
  'tracker.deleted',
  'tracker.restored',
  'project.created',
  'project.changed',
  'project.imported',
  'member.added',
  'member.removed',
  'svn.commit',
  'svn.created',
  'svn.changed',
  'svn.deleted',
  'rights.changed',
] as const

/** Parses a list such as `artifact.*,svn.commit`; absent: all types. */
export function parseEventTypes(given: string | undefined, path = 'types'): readonly string[] {
  if (given === undefined) return EVENT_TYPES
  const names = given.split(',').map((name) => name.trim())
  const found = names.flatMap((name) => {
    const meant = name.endsWith('*') ? typesWithPrefix(name.slice(0, -1)) : EVENT_TYPES.filter((type) => type === name)
    if (meant.length > 0) return meant
    throw new ApiError('parameter_not_allowed', { path, rule: 'one_of', allowed: [...EVENT_TYPES] })
  })
  return [...new Set(found)]
}

function typesWithPrefix(prefix: string): readonly string[] {
  return EVENT_TYPES.filter((type) => type.startsWith(prefix))
}
