import { ENGLISH } from '../messages/english.ts'
import { PROJECT_MESSAGES } from '../messages/projects.ts'
import { createMessages } from '../messages/text.ts'

export const { text, isText } = createMessages({ ...ENGLISH, ...PROJECT_MESSAGES })
