import { Type } from 'typebox'

/** How much somebody wants to be told of an object: every change; what moves it on; what is meant for him; nothing. */
export const LEVELS = ['all', 'status', 'mentions', 'none'] as const
export type Level = (typeof LEVELS)[number]

export const LevelSchema = Type.Enum([...LEVELS], {
  description:
    '`all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing.',
})
