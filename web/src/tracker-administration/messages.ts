import { ENGLISH } from '../messages/english.ts'
import { createMessages } from '../messages/text.ts'
import { TRACKER_ADMINISTRATION } from '../messages/tracker-administration.ts'
import { WEBHOOK_MESSAGES } from '../messages/webhooks.ts'

const MESSAGES = { ...ENGLISH, ...TRACKER_ADMINISTRATION, ...WEBHOOK_MESSAGES }

export type TrackerAdministrationMessageKey = keyof typeof MESSAGES
export const { text, isText } = createMessages(MESSAGES)
