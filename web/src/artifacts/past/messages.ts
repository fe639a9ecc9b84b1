import { ARTIFACTS } from '../../messages/artifacts.ts'
import { ENGLISH } from '../../messages/english.ts'
import { createMessages } from '../../messages/text.ts'
import { TIME_TRAVEL } from '../../messages/time-travel.ts'

export const { text } = createMessages({ ...ENGLISH, ...ARTIFACTS, ...TIME_TRAVEL })
