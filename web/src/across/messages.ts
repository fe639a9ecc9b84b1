import { ACROSS } from '../messages/across.ts'
import { ENGLISH } from '../messages/english.ts'
import { createMessages } from '../messages/text.ts'
import { TRACKERS } from '../messages/trackers.ts'

export const { text, isText } = createMessages({ ...ENGLISH, ...TRACKERS, ...ACROSS })
