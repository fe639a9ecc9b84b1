import type { Origin } from '../platform/database/audit.ts'
import { createReplyRenderer } from '../platform/http/render-reply.ts'
import type { Context } from '../platform/operation/context.ts'
import { english } from '../platform/messages/english.ts'
import { createInputReader } from '../platform/http/input.ts'
import { UNPAGED } from '../platform/http/pages.ts'
import type { Route } from '../platform/http/route.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { write } from '../platform/http/write.ts'
import type { AnyCall } from '../platform/http/route-call.ts'

export interface RouteInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** Access to the server's environment implies site administrator rights; the audit log names the shell as actor. */
export const OPERATOR: Viewer = {
  is_site_admin: true,
  credential: { kind: 'command_line', id: null },
  language: null,
  time_zone: null,
}

/** Origin of audit entries that are not made by a route. */
export const SHELL_ORIGIN: Origin = { viewer: OPERATOR, request_id: null, address: null }

/** Runs a write route from the shell: the same checks, transaction and audit entry. */
export async function callRoute(context: Context, route: Route, viewer: Viewer, input: RouteInput): Promise<unknown> {
  const call: AnyCall = {
    context,
    viewer,
    params: readParams(route, input.params ?? {}),
    query: input.query ?? {},
    body: createInputReader(route).body(input.body === undefined ? undefined : { dialect: 'json', value: input.body }),
    page: UNPAGED,
    headers: {},
    origin: { viewer, request_id: null, address: null },
    language: english,
    format: 'json',
  }
  const { body } = await write(
    { route, print: createReplyRenderer(route), readAddress: async () => {} },
    call,
    undefined,
  )
  return body === null ? undefined : JSON.parse(body)
}

/** Parses path parameters as from a URL. */
function readParams({ params = {} }: Route, given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, param]) => [name, param.parse(String(given[name]), name)]),
  )
}
