import { ARTIFACTS } from '../messages/artifacts.ts'
import { ENGLISH } from '../messages/english.ts'
import { PEEK } from '../messages/peek.ts'
import { createMessages } from '../messages/text.ts'

export const { text } = createMessages({ ...ENGLISH, ...ARTIFACTS, ...PEEK })
