import type { Notification } from '@waypost/sdk/api'
import { isText, text } from '../messages/text.ts'

type Described = Pick<Notification, 'kind'> & { event: Pick<Notification['event'], 'type' | 'has_comment' | 'changed'> }

/** The deed of a person as a sentence. A comment without changes is only introduced by the name of its author. */
export function describeEvent(who: string, { kind, event }: Described): string {
  const what = changeText(kind, event)
  return what === undefined ? who : text('inbox.by', { who, what })
}

function changeText(kind: Described['kind'], { type, has_comment, changed }: Described['event']): string | undefined {
  const special = `event.${kind}`
  if (isText(special)) return text(special)
  if (type === 'artifact.updated' && has_comment)
    return changed.length === 0 ? undefined : text('event.artifact.updated_with_comment')
  const happened = `event.${type}`
  return isText(happened) ? text(happened) : type
}
