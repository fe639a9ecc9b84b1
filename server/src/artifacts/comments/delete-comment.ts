import { requireAccount } from '../../accounts/auth-errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { requireTrackerAdmin } from '../../trackers/find-tracker.ts'
import { COMMENT_PARAMS, COMMENT_PATH, commentVersion, lockComment } from './find-comment.ts'
import { replaceText } from './replace-text.ts'

export const deleteComment = writeRoute({
  method: 'DELETE',
  path: COMMENT_PATH,
  operationId: 'deleteComment',
  summary: 'Delete a comment.',
  description:
    'Removes the text and the reactions; the history shows that a comment was deleted, and only tracker administrators can still read it. The author of the comment, and tracker administrators. A stale `If-Match` is 412, and a deleted comment is 404.',
  access: 'signed_in',
  action: 'comment.delete',
  versioned: true,
  params: COMMENT_PARAMS,
  async handle({ context, viewer, params, headers }, work) {
    const { tx } = work
    const account = requireAccount(viewer)
    const comment = await lockComment({ context, db: tx, viewer }, params)
    if (comment.author !== account) requireTrackerAdmin(comment.found.access)
    requireVersion(headers['if-match'], commentVersion(params, comment.textVersion))
    await tx.deleteFrom('comment_reaction').where('changeset_id', '=', params.changeset_id).execute()
    await replaceText(work, params, comment, { text: null, by: account, on: context.clock.now() })
    return {}
  },
})
