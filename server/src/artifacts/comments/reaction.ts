import { type RawBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Param } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { ApiError } from '../../platform/messages/errors.ts'

export const REACTIONS = ['thumbs_up', 'thumbs_down', 'heart', 'laugh', 'celebrate', 'eyes'] as const
export type ReactionName = (typeof REACTIONS)[number]

/** Numbers only: a viewer may not see everyone who has reacted. */
export const CommentReaction = Type.Object(
  {
    name: Type.Enum([...REACTIONS]),
    count: Type.Integer({ minimum: 1 }),
    is_mine: Type.Boolean({ description: 'The caller is one of them.' }),
  },
  { title: 'CommentReaction' },
)
export type CommentReaction = Static<typeof CommentReaction>

export const reactionParam: Param<ReactionName> = {
  schema: Type.Enum([...REACTIONS], { description: 'The reaction.' }),
  parse(text, name) {
    const found = REACTIONS.find((each) => each === text)
    if (!found) throw new ApiError('parameter_not_allowed', { path: name, rule: 'one_of', allowed: [...REACTIONS] })
    return found
  },
}

/** The reactions to a comment as JSON, in the order in which they were first used; null: none. */
export function reactionsSql(changeset: RawBuilder<unknown>, { account_id }: Viewer): RawBuilder<CommentReaction[]> {
  const isMine =
    account_id === undefined ? sql`false` : sql`bool_or(comment_reaction.account_id = ${account_id}::bigint)`
  return sql`(
    select json_agg(json_build_object('name', used.reaction, 'count', used.count, 'is_mine', used.is_mine)
      order by used.first_on, used.reaction)
    from (
      select comment_reaction.reaction, count(*) as count, ${isMine} as is_mine,
        min(comment_reaction.reacted_on) as first_on
      from comment_reaction where comment_reaction.changeset_id = ${changeset} group by comment_reaction.reaction
    ) used)`
}
