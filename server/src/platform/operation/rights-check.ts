import type { Logger } from 'pino'
import type { Config } from './config.ts'

/** Counts of `WAYPOST_CHECK_RIGHTS`: reads whose remembered rights were compared with the database. */
export interface RightsCheck {
  readonly isOn: boolean
  compared: number
  differences: number
}

export function createRightsCheck({ WAYPOST_CHECK_RIGHTS }: Config): RightsCheck {
  return { isOn: WAYPOST_CHECK_RIGHTS === '1', compared: 0, differences: 0 }
}

/** Counts a comparison, and logs a difference with the facts that find it again. */
export function recordComparison(
  { rightsCheck, log }: { rightsCheck: RightsCheck; log: Pick<Logger, 'error'> },
  isEqual: boolean,
  facts: object,
): void {
  rightsCheck.compared++
  if (isEqual) return
  rightsCheck.differences++
  log.error(facts, 'the rights in memory differ from those in the database')
}
