import { ENGLISH } from '../messages/english.ts'
import { REPOSITORIES } from '../messages/repositories.ts'
import { createMessages } from '../messages/text.ts'

export const { text, isText } = createMessages({ ...ENGLISH, ...REPOSITORIES })
