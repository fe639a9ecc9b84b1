import { fold } from '../accounts/login.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { NewRepositorySettings } from './schemas.ts'

const MAX_LIST_BYTES = 65_535
const MAX_ACCESS_FILE_BYTES = 256 * 1024
// oxlint-disable-next-line no-control-regex -- They are what no path may have.
const CONTROL = /[\u0000-\u001f\u007f]/

/** Checks that need neither the database nor the caller. */
export function checkSettings({
  commit_rules,
  immutable_tags,
  access_file,
  email_notifications,
  layout,
}: NewRepositorySettings): void {
  checkStates(commit_rules ?? {})
  for (const name of ['paths', 'whitelist'] as const)
    checkPaths(immutable_tags?.[name] ?? [], `settings.immutable_tags.${name}`)
  checkAccessFileSize(access_file ?? '')
  checkNotifications(email_notifications ?? [])
  for (const [at, directory] of (layout ?? []).entries())
    if (!isPlainDirectory(directory))
      throw new ApiError('parameter_invalid', { path: `settings.layout[${at}]`, rule: 'pattern' })
}

function checkStates({
  required_states = [],
  moves_to,
}: Partial<NonNullable<NewRepositorySettings['commit_rules']>>): void {
  const path = 'settings.commit_rules.required_states'
  const folded = required_states.map(fold)
  const again = folded.findIndex((state, at) => folded.indexOf(state) < at)
  if (again !== -1) throw duplicate(`${path}[${again}]`)
  // A target state needs required states: they select the artifacts that a commit moves.
  if (typeof moves_to === 'string' && required_states.length === 0)
    throw new ApiError('parameter_required', { path, rule: 'required' })
}

function checkPaths(paths: readonly string[], path: string): void {
  const wrong = paths.findIndex((each) => CONTROL.test(each))
  if (wrong !== -1) throw new ApiError('parameter_invalid', { path: `${path}[${wrong}]`, rule: 'pattern' })
  if (Buffer.byteLength(paths.join('\n')) > MAX_LIST_BYTES)
    throw new ApiError('parameter_out_of_range', { path, rule: 'max_length', allowed: { maximum: MAX_LIST_BYTES } })
}

function checkAccessFileSize(text: string): void {
  if (Buffer.byteLength(text) <= MAX_ACCESS_FILE_BYTES) return
  throw new ApiError('parameter_invalid', {
    path: 'settings.access_file',
    rule: 'max_length',
    cause: 'access_file',
    allowed: { maximum: MAX_ACCESS_FILE_BYTES },
  })
}

function checkNotifications(notifications: NonNullable<NewRepositorySettings['email_notifications']>): void {
  const paths = new Set<string>()
  for (const [at, { path, emails, users, user_groups }] of notifications.entries()) {
    const place = `settings.email_notifications[${at}]`
    if (CONTROL.test(path)) throw new ApiError('parameter_invalid', { path: `${place}.path`, rule: 'pattern' })
    if (paths.has(normalised(path))) throw duplicate(`${place}.path`)
    paths.add(normalised(path))
    if (emails.length + users.length + user_groups.length === 0)
      throw new ApiError('parameter_required', { path: place, rule: 'required' })
    const folded = emails.map(fold)
    const again = folded.findIndex((email, place_of) => folded.indexOf(email) < place_of)
    if (again !== -1) throw duplicate(`${place}.emails[${again}]`)
  }
}

/** Leading, trailing and repeated slashes are ignored. */
function normalised(path: string): string {
  return path.split('/').filter(Boolean).join('/')
}

function duplicate(path: string): ApiError {
  return new ApiError('duplicate_entry', { path, rule: 'unique' })
}

function isPlainDirectory(path: string): boolean {
  const segments = path.replace(/^\/|\/$/g, '').split('/')
  return !CONTROL.test(path) && segments.every((segment) => !['', '.', '..'].includes(segment) && segment.length < 256)
}
