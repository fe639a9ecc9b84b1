import type { Asked } from './pre-commit.ts'
import { requireMessage } from './commit-message.ts'
import { Refusal } from './refusal.ts'

/** Whether a property of an old revision may change: only its message, where the repository allows it, and by its rules. */
export async function checkPropertyChange(
  { context, repository, committer }: Asked,
  { name, action, value }: { name: string; action: string; value: string },
): Promise<void> {
  if (name !== 'svn:log' || action !== 'M') throw new Refusal('property')
  if (!repository.is_commit_message_change_allowed) throw new Refusal('message_change')
  await requireMessage(context, repository, committer, value)
}
