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
import { showToast } from '../../design/toasts.ts'
import { text } from '../messages.ts'
import { settingsQuery } from '../repository-queries.ts'
import { showRefusal } from '../../shell/show-refusal.ts'

export type SettingsPart = Partial<RepositorySettingsToWrite>

/**
 * Settings are written as a whole: members outside the form keep the values read last. `onUndone` resets the form after
 * undo.
 */
export async function saveSettings(id: number, part: SettingsPart, onUndone?: () => void): Promise<Answer<Repository>> {
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
    showToast(text('saved'), onUndone ? { undo: () => void undo(id, earlier, onUndone) } : {})
  }
  // Also after a refusal: on a version conflict the next attempt needs the current version.
  await queryClient.invalidateQueries({ queryKey: ['svn', id, 'settings'] })
  return answer
}

async function undo(id: number, earlier: SettingsPart, onUndone: () => void): Promise<void> {
  const answer = await saveSettings(id, earlier)
  if (answer.ok) onUndone()
  else showRefusal(answer)
}

/** Validates the settings by a dry run. */
export async function trySettings(id: number, part: SettingsPart): Promise<Answer<DryRun>> {
  const { settings } = await queryClient.ensureQueryData(settingsQuery(id))
  if (!settings) throw new Error('Settings are not for everybody.')
  return api.dryRun('PUT /svn/{id}', { path: { id }, body: { settings: { ...toWrite(settings), ...part } } })
}

function toWrite({ email_notifications, ...settings }: RepositorySettings): RepositorySettingsToWrite {
  return { ...settings, email_notifications: email_notifications.map(notificationToWrite) }
}

/** People and groups are read as objects and written as ids. */
export function notificationToWrite(read: RepositorySettings['email_notifications'][number]): NotificationToWrite {
  return {
    path: read.path,
    emails: read.emails,
    users: read.users.flatMap(({ id }) => id ?? []),
    user_groups: read.user_groups.map(({ id }) => id),
  }
}

/** One entry per line; empty lines are skipped. */
export function splitLines(lines: string): string[] {
  return lines.split('\n').flatMap((line) => line.trim() || [])
}
