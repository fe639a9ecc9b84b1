/** Reasons for a notification, in order of precedence. */
export const NOTIFICATION_REASONS = ['mention', 'assigned', 'submitted', 'list', 'watch'] as const
export type NotificationReason = (typeof NOTIFICATION_REASONS)[number]
