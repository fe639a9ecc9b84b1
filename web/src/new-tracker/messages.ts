import { ENGLISH } from '../messages/english.ts'
import { NEW_TRACKER } from '../messages/new-tracker.ts'
import { createMessages } from '../messages/text.ts'

export const { text, isText } = createMessages({ ...ENGLISH, ...NEW_TRACKER })
