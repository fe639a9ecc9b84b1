import { ROUTES } from './routes.ts'

/** Names in the audit log that are not those of a route. */
const FURTHER_ACTIONS = [
  'access_key.delete',
  'archive.read',
  'artifact.purge',
  'audit.read',
  'audit.retention',
  'export',
  'key_with_foreign_login',
  'link_type.create',
  'link_type.disable',
  'link_type.enable',
  'project.member_add',
  'project.member_remove',
  'repository.purge',
  'sign_in',
  'tracker.purge',
  'user.password_reset',
  'user.status',
  'webhook.off',
  'webhook.paused',
]

/** Every name that an entry of the audit log may have. */
export const AUDIT_ACTIONS: ReadonlySet<string> = new Set([
  ...ROUTES.flatMap(({ action }) => action ?? []),
  ...FURTHER_ACTIONS,
])
