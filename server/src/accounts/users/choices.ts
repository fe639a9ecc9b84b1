import { languages } from '../../platform/messages/catalogue.ts'
import { isTimeZone } from '../../platform/wire/dates.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { isInstalledLanguage } from '../../platform/operation/settings.ts'

/** Refuses an unknown time zone or language; the same for every caller. */
export function requireKnownChoices(chosen: {
  time_zone?: string | null | undefined
  language?: string | null | undefined
}): void {
  const { time_zone, language } = chosen
  if (time_zone && !isTimeZone(time_zone))
    throw new ApiError('parameter_not_allowed', { path: 'time_zone', rule: 'one_of' })
  if (language && !isInstalledLanguage(language))
    throw new ApiError('parameter_not_allowed', { path: 'language', rule: 'one_of', allowed: languages() })
}
