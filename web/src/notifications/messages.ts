import { ENGLISH } from '../messages/english.ts'
import { INBOX } from '../messages/inbox.ts'
import { createMessages } from '../messages/text.ts'

export const { text } = createMessages({ ...ENGLISH, ...INBOX })
