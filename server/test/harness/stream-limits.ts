import type { StreamLimits } from '../../src/platform/http/event-stream.ts'
import type { Route } from '../../src/platform/http/route.ts'

/** The same routes, whose streams have these limits. */
export function withStreamLimits(routes: readonly Route[], limits: StreamLimits): Route[] {
  return routes.map((route) => {
    const { formats } = route
    return formats?.stream ? { ...route, formats: { ...formats, stream: { ...formats.stream, limits } } } : route
  })
}
