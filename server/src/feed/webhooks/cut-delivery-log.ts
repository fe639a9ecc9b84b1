import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import { commonPart } from './common-part.ts'
import { composeBodyFor } from './compose-body.ts'
import type { ShownDelivery, WholeDelivery } from './delivery.ts'
import type { Webhook } from './webhook.ts'

const FORM_PREFIX = 'payload='

/**
 * The delivery with its body cut to the current permissions of this reader of the log: the same event is composed for
 * the reader, and differences are removed. The response may repeat the body, so it is removed as well.
 */
export async function cutDelivery(
  context: Context,
  viewer: Viewer,
  { project_id, tracker_id }: Pick<Webhook, 'project_id' | 'tracker_id'>,
  delivery: WholeDelivery,
): Promise<ShownDelivery> {
  const { request_body, event } = delivery
  const whole = { ...delivery, is_withheld: false, is_cut: false }
  const withheld = { ...delivery, request_body: null, answer_body: null, is_withheld: true, is_cut: false }
  // A ping names only the webhook itself; site administrators may read everything.
  if (request_body === null || event === 'ping' || viewer.is_site_admin) return whole
  const sent = parseBody(request_body)
  if (!isRecord(sent)) return withheld
  const scope = tracker_id === null ? { project: project_id } : { tracker: tracker_id }
  // The payload format of the hook may have changed since.
  const payload = 'action' in sent ? ('original' as const) : ('event' as const)
  const readable = await composeBodyFor(context, { ...delivery, payload }, { viewer, types: [event], ...scope })
  if (readable === 'hidden') return withheld
  // Through JSON, as the body was sent, so that dates and absent members compare equal.
  const cut = JSON.stringify(commonPart(sent, JSON.parse(JSON.stringify(readable))))
  if (cut === JSON.stringify(sent)) return whole
  const isForm = request_body.startsWith(FORM_PREFIX)
  const body = isForm ? FORM_PREFIX + encodeURIComponent(cut) : cut
  return { ...delivery, request_body: body, answer_body: null, is_withheld: false, is_cut: true }
}

function parseBody(body: string): unknown {
  return JSON.parse(body.startsWith(FORM_PREFIX) ? decodeURIComponent(body.slice(FORM_PREFIX.length)) : body)
}
