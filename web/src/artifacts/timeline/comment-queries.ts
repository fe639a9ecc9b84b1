import { queryOptions } from '@tanstack/react-query'
import { Refusal } from '@waypost/sdk/answer'
import type { Comment, CommentReaction } from '@waypost/sdk/api'
import { api, failureOf } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { showRefusal } from '../../shell/show-refusal.ts'

export interface CommentTarget {
  /** The artifact. */
  readonly id: number
  readonly changeset_id: number
}

/** A comment with its earlier texts, and the ETag of its present one. */
export interface OpenComment {
  readonly comment: Comment
  readonly etag: string | undefined
}

export const commentQuery = (path: CommentTarget) =>
  queryOptions({
    queryKey: ['artifacts', path.id, 'changesets', 'comment', path.changeset_id],
    queryFn: async (): Promise<OpenComment> => {
      const answer = await api.call('GET /artifacts/{id}/changesets/{changeset_id}/comment', { path })
      if (!answer.ok) throw new Refusal(answer)
      return { comment: answer.body, etag: answer.etag }
    },
  })

/** Undefined, with a message, if it cannot be read. */
export async function loadComment(target: CommentTarget): Promise<OpenComment | undefined> {
  try {
    return await queryClient.fetchQuery({ ...commentQuery(target), staleTime: 0 })
  } catch (error) {
    const failure = failureOf(error)
    if (!failure) throw error
    showRefusal(failure)
    return undefined
  }
}

/** The present text as it was typed. */
export function commentSource({ commonmark, body, format }: Pick<Comment, 'commonmark' | 'body' | 'format'>) {
  return commonmark === undefined ? { body, format } : { body: commonmark, format: 'commonmark' as const }
}

export function writeComment(path: CommentTarget, body: ReturnType<typeof commentSource>, etag: string | undefined) {
  return api.call('PUT /artifacts/{id}/changesets/{changeset_id}/comment', {
    path,
    body,
    ...(etag !== undefined && { ifMatch: etag }),
  })
}

export async function removeComment(path: CommentTarget): Promise<boolean> {
  const answer = await api.call('DELETE /artifacts/{id}/changesets/{changeset_id}/comment', { path })
  if (!answer.ok) showRefusal(answer)
  await refreshTimeline(path)
  return answer.ok
}

export async function toggleReaction(
  address: CommentTarget,
  reaction: CommentReaction['name'],
  isMine: boolean,
): Promise<void> {
  const path = { ...address, reaction }
  const answer = isMine
    ? await api.call('DELETE /artifacts/{id}/changesets/{changeset_id}/comment/reactions/{reaction}', { path })
    : await api.call('PUT /artifacts/{id}/changesets/{changeset_id}/comment/reactions/{reaction}', { path })
  if (!answer.ok) showRefusal(answer)
  await refreshTimeline(address)
}

export function refreshTimeline({ id }: CommentTarget): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['artifacts', id, 'changesets'] })
}
