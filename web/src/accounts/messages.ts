import { ACCOUNT_MESSAGES } from '../messages/account.ts'
import { ENGLISH } from '../messages/english.ts'
import { createMessages } from '../messages/text.ts'

export const { text, isText } = createMessages({ ...ENGLISH, ...ACCOUNT_MESSAGES })
