import { toStreamLimits } from '../platform/http/event-stream.ts'

/** Shared by all kinds of streams: an account with eight streams open gets no other one. */
export const STREAM_LIMITS = toStreamLimits()
