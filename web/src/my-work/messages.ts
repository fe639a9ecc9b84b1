import { ENGLISH } from '../messages/english.ts'
import { createMessages } from '../messages/text.ts'
import { WORK } from '../messages/work.ts'

export const { text } = createMessages({ ...ENGLISH, ...WORK })
