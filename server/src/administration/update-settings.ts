import { isDeepStrictEqual } from 'node:util'
import { requireSiteAdmin } from '../accounts/auth-errors.ts'
import { findRestrictedAccounts } from '../accounts/users/restricted-accounts.ts'
import { languages } from '../platform/messages/catalogue.ts'
import type { Config } from '../platform/operation/config.ts'
import { isTimeZone } from '../platform/wire/dates.ts'
import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { requireVersion } from '../platform/wire/etag.ts'
import type { Details, ErrorProblem, Reason } from '../platform/messages/reasons.ts'
import { writeRoute } from '../platform/http/route.ts'
import {
  fixedSettings,
  isInstalledLanguage,
  loadSettings,
  lockSettings,
  type SettingValues,
  writeSettings,
} from '../platform/operation/settings.ts'
import { AllSettings, fixedNames, SettingsChanges, settingsTag, showSettings } from './settings.ts'

const MAX_NAMED_ACCOUNTS = 10

export const updateSettings = writeRoute({
  method: 'PATCH',
  path: '/settings',
  operationId: 'updateSettings',
  summary: 'Change settings of the platform.',
  description:
    'Changes settings on every process, from the next request on. Site administrators only. Settings that the environment fixes, unknown names and values out of range are refused.',
  access: 'signed_in',
  action: 'settings.update',
  sensitive: true,
  body: SettingsChanges,
  answer: AllSettings,
  versioned: true,
  async handle({ context: { config }, viewer, body, headers }, work) {
    requireSiteAdmin(viewer)
    await lockSettings(work.tx)
    const { settings, version } = await loadSettings(work.tx, fixedSettings(config))
    requireVersion(headers['if-match'], settingsTag(version))
    await requireRules(work.tx, config, body)

    const { before, after } = diffSettings(settings, body)
    if (Object.keys(after).length === 0) return showSettings(config, settings, version)
    await writeSettings(work.tx, after, version)
    await work.change({ object: 'settings', op: 'update', before, after })
    return showSettings(config, { ...settings, ...after }, version + 1)
  },
})

/** The effective changes: members that repeat the current value are dropped. */
function diffSettings(settings: SettingValues, given: SettingsChanges) {
  const current = new Map<string, unknown>(Object.entries(settings))
  const isNew = ([name, value]: [string, unknown]) => !isDeepStrictEqual(current.get(name), value)
  const after: Partial<SettingValues> = Object.fromEntries(Object.entries(given).filter(isNew))
  return { before: Object.fromEntries(Object.keys(after).map((name) => [name, current.get(name)])), after }
}

/** Checks beyond the schema; reports all errors at once. */
async function requireRules(tx: Tx, config: Config, body: SettingsChanges): Promise<void> {
  const { time_zone, language, restricted_users } = body
  const problems: ErrorProblem[] = fixedNames(config)
    .filter((name) => name in body)
    .map((path) => ({ reason: 'parameter_not_allowed', path }))
  if (time_zone !== undefined && !isTimeZone(time_zone))
    problems.push({ reason: 'parameter_not_allowed', path: 'time_zone', rule: 'one_of' })
  if (language !== undefined && !isInstalledLanguage(language))
    problems.push({ reason: 'parameter_not_allowed', path: 'language', rule: 'one_of', allowed: languages() })
  const restricted = restricted_users === false ? await findRestrictedAccounts(tx, MAX_NAMED_ACCOUNTS) : []
  if (restricted.length > 0)
    problems.push({ reason: 'rule_violated', path: 'restricted_users', cause: 'restricted_accounts_exist' })
  throwProblems(problems, { used_by: restricted.map(({ id, login }) => ({ type: 'user', id, label: login })) })
}

function throwProblems(problems: readonly ErrorProblem[], { used_by }: Required<Pick<Details, 'used_by'>>): void {
  const [first, ...more] = problems
  if (!first) return
  const { reason, ...place } = first
  throw new ApiError<Reason>(reason, {
    ...place,
    ...(used_by.length > 0 && { used_by }),
    ...(more.length > 0 && { all: problems }),
  })
}
