import { ApiError } from '../platform/messages/errors.ts'
import type { SettingValues } from '../platform/operation/settings.ts'
import type { ProjectAccess } from './project.ts'

const LABEL_LENGTH = { minimum: 3, maximum: 40 }

/** The problem of a label, if any. */
export function findLabelProblem(label: string) {
  const { length } = Array.from(label)
  if (length >= LABEL_LENGTH.minimum && length <= LABEL_LENGTH.maximum) return undefined
  return {
    reason: 'parameter_out_of_range',
    path: 'label',
    rule: length < LABEL_LENGTH.minimum ? 'min_length' : 'max_length',
    allowed: LABEL_LENGTH,
  } as const
}

export function requireLabel(label: string): void {
  const problem = findLabelProblem(label)
  if (!problem) return
  const { reason, ...details } = problem
  throw new ApiError(reason, details)
}

/** The access levels of the platform: two of them only matter if it has restricted users. */
export function accessLevels({ restricted_users }: SettingValues): readonly ProjectAccess[] {
  return restricted_users ? ['public', 'unrestricted', 'private', 'private-wo-restr'] : ['public', 'private']
}
