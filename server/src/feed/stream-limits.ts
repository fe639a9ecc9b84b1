import { withLimits } from '../platform/http/event-stream.ts'

/** Of everything that is followed: whoever has eight streams of one kind open has none left for another. */
export const STREAM_LIMITS = withLimits()
