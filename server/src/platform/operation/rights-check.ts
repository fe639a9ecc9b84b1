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
