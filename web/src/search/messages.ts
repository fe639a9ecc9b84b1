import { ENGLISH } from '../messages/english.ts'
import { SEARCH } from '../messages/search.ts'
import { createMessages } from '../messages/text.ts'

export const { text } = createMessages({ ...ENGLISH, ...SEARCH })
