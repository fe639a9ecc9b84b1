import { BOARD } from '../messages/board.ts'
import { DASHBOARD } from '../messages/dashboard.ts'
import { ENGLISH } from '../messages/english.ts'
import { PROJECT_MESSAGES } from '../messages/projects.ts'
import { createMessages } from '../messages/text.ts'
import { TRACKERS } from '../messages/trackers.ts'

export const { text } = createMessages({ ...ENGLISH, ...TRACKERS, ...BOARD, ...PROJECT_MESSAGES, ...DASHBOARD })
