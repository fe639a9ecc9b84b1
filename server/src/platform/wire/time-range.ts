import { Type } from 'typebox'
import type { Range } from '../database/conditions.ts'
import { type Context, platformZone } from '../operation/context.ts'
import { MOMENT, momentIn } from './formats.ts'
import type { Viewer } from '../http/viewer.ts'

/** Parameters of lists that are asked for by time. */
export const rangeParameters = {
  from: Type.Optional(Type.String({ format: MOMENT, description: 'From this day or instant on.' })),
  to: Type.Optional(Type.String({ format: MOMENT, description: 'Before this day or instant.' })),
}

/** Days and times without a zone are the caller's. */
export function readRange(context: Context, viewer: Viewer, given: { from?: string; to?: string }): Range {
  const zone = viewer.time_zone ?? platformZone(context)
  const read = (text: string | undefined) => (text === undefined ? undefined : momentIn(text, zone))
  return { from: read(given.from), to: read(given.to) }
}
