import { ENGLISH } from '../messages/english.ts'
import { createMessages } from '../messages/text.ts'
import { WEBHOOK_MESSAGES } from '../messages/webhooks.ts'

const MESSAGES = { ...ENGLISH, ...WEBHOOK_MESSAGES }

export type WebhookMessageKey = keyof typeof MESSAGES
export const { text, isText } = createMessages(MESSAGES)
