import { Type } from 'typebox'
import type { TimeRange } from '../database/conditions.ts'
import { type Context, platformZone } from '../operation/context.ts'
import { MOMENT, parseMoment } from './formats.ts'
import type { Viewer } from '../http/viewer.ts'

/** Parameters of lists with a time filter. */
export const rangeParameters = {
  from: Type.Optional(Type.String({ format: MOMENT, description: 'From this day or instant on.' })),
  to: Type.Optional(Type.String({ format: MOMENT, description: 'Before this day or instant.' })),
}

/** Days and times without a zone are in the caller's zone. */
export function readTimeRange(context: Context, viewer: Viewer, given: { from?: string; to?: string }): TimeRange {
  const zone = viewer.time_zone ?? platformZone(context)
  const read = (text: string | undefined) => (text === undefined ? undefined : parseMoment(text, zone))
  return { from: read(given.from), to: read(given.to) }
}
