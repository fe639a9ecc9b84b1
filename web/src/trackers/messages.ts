import { ENGLISH } from '../messages/english.ts'
import { TRACKERS } from '../messages/trackers.ts'
import { createMessages } from '../messages/text.ts'

export const { text, isText } = createMessages({ ...ENGLISH, ...TRACKERS })
