import { ARTIFACTS } from '../messages/artifacts.ts'
import { COMMENT_MESSAGES } from '../messages/comments.ts'
import { ENGLISH } from '../messages/english.ts'
import { createMessages } from '../messages/text.ts'

export const { text, isText } = createMessages({ ...ENGLISH, ...ARTIFACTS, ...COMMENT_MESSAGES })
