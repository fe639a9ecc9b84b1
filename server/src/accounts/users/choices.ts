import { languages } from '../../platform/words/catalogue.ts'
import { isTimeZone } from '../../platform/wire/dates.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { isInstalledLanguage } from '../../platform/operation/settings.ts'

/** Refuses a zone or language that this platform does not know: the same for every caller. */
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
