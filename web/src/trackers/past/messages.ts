import { ENGLISH } from '../../messages/english.ts'
import { createMessages } from '../../messages/text.ts'
import { TIME_TRAVEL } from '../../messages/time-travel.ts'
import { TRACKERS } from '../../messages/trackers.ts'

export const { text } = createMessages({ ...ENGLISH, ...TRACKERS, ...TIME_TRAVEL })
