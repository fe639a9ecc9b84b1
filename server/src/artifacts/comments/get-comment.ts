import { readRoute } from '../../platform/http/route.ts'
import { COMMENT_PARAMS, COMMENT_PATH, commentVersion } from './find-comment.ts'
import { Comment, representCommentAt } from './represent-comment.ts'

export const getComment = readRoute({
  method: 'GET',
  path: COMMENT_PATH,
  operationId: 'getComment',
  summary: 'Show a comment with its earlier texts.',
  description:
    'Shows the comment of a version of an artifact, its reactions, and the texts that it had before. Everyone who may read the comment; a deleted one only tracker administrators. Hidden, deleted and absent comments are 404, for anonymous callers 401.',
  access: 'everyone',
  versioned: true,
  params: COMMENT_PARAMS,
  answer: Comment,
  async handle({ context, viewer, language, params }) {
    const body = await representCommentAt({ context, db: context.db, viewer, language }, params)
    return { body, version: commentVersion(params, body.version) }
  },
})
