import { requireAccount } from '../../accounts/auth-errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { COMMENT_PARAMS, COMMENT_PATH, commentUri, lockComment } from './find-comment.ts'
import { reactionParam } from './reaction.ts'

const REACTION_PATH = `${COMMENT_PATH}/reactions/:reaction`
const REACTION_PARAMS = { ...COMMENT_PARAMS, reaction: reactionParam }

export const addReaction = writeRoute({
  method: 'PUT',
  path: REACTION_PATH,
  operationId: 'addReaction',
  summary: 'React to a comment.',
  description:
    'Adds a reaction of the caller to a comment; it is also accepted if it is there already, and no notification is sent. Signed-in people who may read the comment. Hidden, deleted and absent comments are 404, unknown reactions 400.',
  access: 'signed_in',
  action: null,
  params: REACTION_PARAMS,
  async handle({ context, viewer, params: { reaction, ...address } }, work) {
    const account_id = requireAccount(viewer)
    const { found } = await lockComment({ context, db: work.tx, viewer }, address)
    const { project_id } = found.artifact
    const { numInsertedOrUpdatedRows: count } = await work.tx
      .insertInto('comment_reaction')
      .values({
        project_id,
        artifact_id: address.id,
        changeset_id: address.changeset_id,
        account_id,
        reaction,
        reacted_on: context.clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (count) await work.change({ object: commentUri(address), op: 'update', project_id, after: { [reaction]: true } })
    return {}
  },
})

export const removeReaction = writeRoute({
  method: 'DELETE',
  path: REACTION_PATH,
  operationId: 'removeReaction',
  summary: 'Take back a reaction to a comment.',
  description:
    'Removes a reaction of the caller; it is also accepted if there is none. Signed-in people who may read the comment. Hidden, deleted and absent comments are 404, unknown reactions 400.',
  access: 'signed_in',
  action: null,
  params: REACTION_PARAMS,
  async handle({ context, viewer, params: { reaction, ...address } }, work) {
    const account = requireAccount(viewer)
    const { found } = await lockComment({ context, db: work.tx, viewer }, address)
    const { numDeletedRows: count } = await work.tx
      .deleteFrom('comment_reaction')
      .where('changeset_id', '=', address.changeset_id)
      .where('account_id', '=', account)
      .where('reaction', '=', reaction)
      .executeTakeFirst()
    const { project_id } = found.artifact
    if (count)
      await work.change({ object: commentUri(address), op: 'update', project_id, before: { [reaction]: true } })
    return {}
  },
})
