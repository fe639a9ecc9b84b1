import { ROUTES } from './routes.ts'

/** Audit actions that do not belong to a route. */
const FURTHER_ACTIONS = [
  'access_key.delete',
  'archive.read',
  'artifact.purge',
  'audit.read',
  'audit.retention',
  'export',
  'identity.link',
  'key_with_foreign_login',
  'project.member_add',
  'project.member_remove',
  'project.purge',
  'repository.purge',
  'secrets.rotate',
  'sign_in',
  'tracker.purge',
  'user.password_reset',
  'user.status',
  'webhook.off',
  'webhook.paused',
]

/** All action names of audit entries. */
export const AUDIT_ACTIONS: ReadonlySet<string> = new Set([
  ...ROUTES.flatMap(({ action }) => action ?? []),
  ...FURTHER_ACTIONS,
])
