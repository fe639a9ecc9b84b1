import { fold } from '../accounts/login.ts'
import { ApiError } from '../platform/words/errors.ts'
import type { NewSettings } from './schemas.ts'

const LONGEST_LIST = 65_535
const LONGEST_ACCESS_FILE = 256 * 1024
// oxlint-disable-next-line no-control-regex -- They are what no path may have.
const CONTROL = /[\u0000-\u001f\u007f]/

/** Refuses what is wrong with settings whatever the project, and whoever asks. */
export function checkSettings({
  commit_rules,
  immutable_tags,
  access_file,
  email_notifications,
  layout,
}: NewSettings): void {
  checkStates(commit_rules ?? {})
  for (const name of ['paths', 'whitelist'] as const)
    checkPaths(immutable_tags?.[name] ?? [], `settings.immutable_tags.${name}`)
  checkAccessFile(access_file ?? '')
  checkNotifications(email_notifications ?? [])
  for (const [at, directory] of (layout ?? []).entries())
    if (!isPlainDirectory(directory))
      throw new ApiError('parameter_invalid', { path: `settings.layout[${at}]`, rule: 'pattern' })
}

function checkStates({ required_states = [], moves_to }: Partial<NonNullable<NewSettings['commit_rules']>>): void {
  const path = 'settings.commit_rules.required_states'
  const folded = required_states.map(fold)
  const again = folded.findIndex((state, at) => folded.indexOf(state) < at)
  if (again !== -1) throw duplicate(`${path}[${again}]`)
  // Without them nobody could say what a commit moves.
  if (typeof moves_to === 'string' && required_states.length === 0)
    throw new ApiError('parameter_required', { path, rule: 'required' })
}

function checkPaths(paths: readonly string[], path: string): void {
  const wrong = paths.findIndex((each) => CONTROL.test(each))
  if (wrong !== -1) throw new ApiError('parameter_invalid', { path: `${path}[${wrong}]`, rule: 'pattern' })
  if (Buffer.byteLength(paths.join('\n')) > LONGEST_LIST)
    throw new ApiError('parameter_out_of_range', { path, rule: 'max_length', allowed: { maximum: LONGEST_LIST } })
}

function checkAccessFile(text: string): void {
  if (Buffer.byteLength(text) <= LONGEST_ACCESS_FILE) return
  throw new ApiError('parameter_invalid', {
    path: 'settings.access_file',
    rule: 'max_length',
    cause: 'access_file',
    allowed: { maximum: LONGEST_ACCESS_FILE },
  })
}

function checkNotifications(notifications: NonNullable<NewSettings['email_notifications']>): void {
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

/** Written with or without slashes at its ends, it is the same path. */
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
