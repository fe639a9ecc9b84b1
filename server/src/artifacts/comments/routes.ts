import type { Route } from '../../platform/http/route.ts'
import { deleteComment } from './delete-comment.ts'
import { getComment } from './get-comment.ts'
import { addReaction, removeReaction } from './react-to-comment.ts'
import { updateComment } from './update-comment.ts'

export const COMMENT_ROUTES: readonly Route[] = [getComment, updateComment, deleteComment, addReaction, removeReaction]
