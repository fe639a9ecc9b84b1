import type { Notification } from '@waypost/sdk/api'
import { isText, text } from '../messages/text.ts'

type Event = Pick<Notification['event'], 'type' | 'has_comment' | 'changed'>

/** The event as the end of a sentence about a person. A comment without changes is a comment. */
export function describeEvent({ type, has_comment, changed }: Event): string {
  if (type === 'artifact.updated' && has_comment)
    return text(changed.length === 0 ? 'event.comment.added' : 'event.artifact.updated_with_comment')
  const happened = `event.${type}`
  return isText(happened) ? text(happened) : type
}
