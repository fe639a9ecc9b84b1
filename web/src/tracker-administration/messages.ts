import { ENGLISH } from '../messages/english.ts'
import { createMessages } from '../messages/text.ts'
import { TRACKER_ADMINISTRATION } from '../messages/tracker-administration.ts'
import { TRACKER_RULES } from '../messages/tracker-rules.ts'

const MESSAGES = { ...ENGLISH, ...TRACKER_ADMINISTRATION, ...TRACKER_RULES }

export type TrackerAdministrationMessageKey = keyof typeof MESSAGES
export const { text, isText } = createMessages(MESSAGES)
