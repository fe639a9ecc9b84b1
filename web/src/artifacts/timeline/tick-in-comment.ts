import { showRefusal } from '../../shell/show-refusal.ts'
import { showToast } from '../../design/toasts.ts'
import { text } from '../messages.ts'
import { tickTask } from '../task-list.ts'
import { type CommentTarget, commentSource, loadComment, refreshTimeline, writeComment } from './comment-queries.ts'

/** Marks a task of a comment as done or not, if the comment is still the one that is shown. */
export async function tickInComment(
  target: CommentTarget,
  source: string,
  index: number,
  isDone: boolean,
): Promise<void> {
  const body = tickTask(source, index, isDone)
  const open = body === undefined ? undefined : await loadComment(target)
  if (body === undefined || !open) return
  if (commentSource(open.comment).body === source) {
    const answer = await writeComment(target, { body, format: 'commonmark' }, open.etag)
    if (!answer.ok) showRefusal(answer)
  } else showToast(text('tasks.changed'), { isTrouble: true })
  await refreshTimeline(target)
}
