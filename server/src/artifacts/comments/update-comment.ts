import { Type } from 'typebox'
import { requireAccount } from '../../accounts/auth-errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { readComment } from '../update-artifact/comment.ts'
import { requireCommentLength } from '../update-artifact/schemas.ts'
import { COMMENT_PARAMS, COMMENT_PATH, commentVersion, lockComment } from './find-comment.ts'
import { replaceText } from './replace-text.ts'
import { Comment, representCommentAt } from './represent-comment.ts'

export const updateComment = writeRoute({
  method: 'PUT',
  path: COMMENT_PATH,
  operationId: 'updateComment',
  summary: 'Change the text of a comment.',
  description:
    'Replaces the text of a comment; the earlier text stays readable to those who may read the comment, and no notification is sent. Only the author of the comment. A stale `If-Match` is 412, an empty text is 400, and a deleted comment is 404.',
  access: 'signed_in',
  action: null,
  versioned: true,
  params: COMMENT_PARAMS,
  body: Type.Object({
    body: Type.String({ description: 'The new text.' }),
    format: Type.Optional(Type.Enum(['text', 'html', 'commonmark'], { description: '`commonmark` by default.' })),
  }),
  bodyRules: { check: ({ body }) => requireCommentLength({ body }, 'body') },
  answer: Comment,
  async handle({ context, viewer, language, params, body, headers }, work) {
    const account = requireAccount(viewer)
    const comment = await lockComment({ context, db: work.tx, viewer }, params)
    if (comment.author !== account) throw new ApiError('permission_denied', { who_may: ['owner'] })
    requireVersion(headers['if-match'], commentVersion(params, comment.textVersion))
    const text = readComment({ context }, comment.found.access, body)
    if (!text) throw new ApiError('parameter_required', { path: 'body', rule: 'required' })
    if (text.body !== comment.body || text.format !== comment.format)
      await replaceText(work, params, comment, { text, by: account, on: context.clock.now() })
    const shown = await representCommentAt({ context, db: work.tx, viewer, language }, params)
    return { body: shown, version: commentVersion(params, shown.version) }
  },
})
