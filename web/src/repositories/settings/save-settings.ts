import type { Answer } from '@waypost/sdk/answer'
import type {
  DryRun,
  NotificationToWrite,
  Repository,
  RepositorySettings,
  RepositorySettingsToWrite,
} from '@waypost/sdk/api'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { tell } from '../../shell/toasts.ts'
import { text } from '../words.ts'
import { settingsQuery } from '../repository-queries.ts'
import { tellRefusal } from '../../shell/tell-refusal.ts'

export type Part = Partial<RepositorySettingsToWrite>

/**
 * The settings are written as a whole: what a form does not show stays as it was read last. `onUndone` puts the form back
 * when the change is taken back.
 */
export async function saveSettings(id: number, part: Part, onUndone?: () => void): Promise<Answer<Repository>> {
  const { settings: before, etag } = await queryClient.ensureQueryData(settingsQuery(id))
  if (!before) throw new Error('Settings are not for everybody.')
  const whole = toWrite(before)
  const answer = await api.call('PUT /svn/{id}', {
    path: { id },
    body: { settings: { ...whole, ...part } },
    ...(etag !== undefined && { ifMatch: etag }),
  })
  if (answer.ok) {
    queryClient.setQueryData(settingsQuery(id).queryKey, { settings: answer.body.settings ?? null, etag: answer.etag })
    const earlier = Object.fromEntries(Object.entries(whole).filter(([name]) => name in part))
    tell(text('saved'), onUndone ? { undo: () => void undo(id, earlier, onUndone) } : {})
  }
  // Also behind a refusal: somebody else may have been faster, and then the next try is of what is there now.
  await queryClient.invalidateQueries({ queryKey: ['svn', id, 'settings'] })
  return answer
}

async function undo(id: number, earlier: Part, onUndone: () => void): Promise<void> {
  const answer = await saveSettings(id, earlier)
  if (answer.ok) onUndone()
  else tellRefusal(answer)
}

/** Whether they would be taken, and what would be made of them. */
export async function trySettings(id: number, part: Part): Promise<Answer<DryRun>> {
  const { settings } = await queryClient.ensureQueryData(settingsQuery(id))
  if (!settings) throw new Error('Settings are not for everybody.')
  return api.dryRun('PUT /svn/{id}', { path: { id }, body: { settings: { ...toWrite(settings), ...part } } })
}

function toWrite({ email_notifications, ...settings }: RepositorySettings): RepositorySettingsToWrite {
  return { ...settings, email_notifications: email_notifications.map(notificationToWrite) }
}

/** People and groups are read as objects and written as numbers. */
export function notificationToWrite(read: RepositorySettings['email_notifications'][number]): NotificationToWrite {
  return {
    path: read.path,
    emails: read.emails,
    users: read.users.flatMap(({ id }) => id ?? []),
    user_groups: read.user_groups.map(({ id }) => id),
  }
}

/** One entry a line; empty lines are none. */
export function entriesIn(lines: string): string[] {
  return lines.split('\n').flatMap((line) => line.trim() || [])
}
