import { ARTIFACTS } from '../messages/artifacts.ts'
import { ENGLISH } from '../messages/english.ts'
import { createMessages } from '../messages/text.ts'

export const { text, isText } = createMessages({ ...ENGLISH, ...ARTIFACTS })
