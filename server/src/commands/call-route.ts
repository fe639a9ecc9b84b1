import type { Origin } from '../platform/database/audit.ts'
import { createPrint } from '../platform/http/answer.ts'
import type { Context } from '../platform/operation/context.ts'
import { english } from '../platform/words/english.ts'
import { createInputReader } from '../platform/http/input.ts'
import { WHOLE } from '../platform/http/pages.ts'
import type { Route } from '../platform/http/route.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { type AnyCall, write } from '../platform/http/write.ts'

interface RouteInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** Whoever has the server's own environment in hand may administer it; the audit log says that it was the shell. */
export const OPERATOR: Viewer = {
  is_site_admin: true,
  credential: { kind: 'command_line', id: null },
  language: null,
  time_zone: null,
}

/** For the audit rows of what is no route. */
export const SHELL: Origin = { viewer: OPERATOR, request_id: null, address: null }

/** Runs a write of the API from the shell: the same checks, the same transaction, the same audit row. */
export async function callRoute(context: Context, route: Route, viewer: Viewer, input: RouteInput): Promise<unknown> {
  const call: AnyCall = {
    context,
    viewer,
    params: readParams(route, input.params ?? {}),
    query: input.query ?? {},
    body: createInputReader(route).body(input.body === undefined ? undefined : { dialect: 'json', value: input.body }),
    page: WHOLE,
    headers: {},
    origin: { viewer, request_id: null, address: null },
    language: english,
  }
  const { body } = await write(route, call, createPrint(route), undefined)
  return body === null ? undefined : JSON.parse(body)
}

/** As if they came in an address. */
function readParams({ params = {} }: Route, given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, param]) => [name, param.parse(String(given[name]), name)]),
  )
}
