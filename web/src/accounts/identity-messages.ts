import { ENGLISH } from '../messages/english.ts'
import { IDENTITY_MESSAGES } from '../messages/identity.ts'
import { createMessages } from '../messages/text.ts'

export const { text, isText } = createMessages({ ...ENGLISH, ...IDENTITY_MESSAGES })
