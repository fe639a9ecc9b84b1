import { Type } from 'typebox'

/** How much a subscriber is notified about an object. */
export const LEVELS = ['all', 'status', 'mentions', 'none'] as const
export type Level = (typeof LEVELS)[number]

export const LevelSchema = Type.Enum([...LEVELS], {
  description:
    '`all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing.',
})
