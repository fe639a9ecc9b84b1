import { ApiError } from '../messages/errors.ts'
import { createInputReader, type InputReader } from './input.ts'
import type { Route } from './route.ts'
import type { AnyCall } from './route-call.ts'

/**
 * Reads the object of an address, or its nearest readable ancestor, with the caller's permissions. Throws the error of
 * that read.
 */
export type ReadAddress = (call: AnyCall, address: string) => Promise<void>

interface ReadableRoute {
  readonly route: Route
  readonly input: InputReader
  readonly pattern: RegExp
}

export function createReadAddress(routes: readonly Route[]): ReadAddress {
  const readable = routes
    .filter(
      (route) =>
        route.method === 'GET' && !route.writes && !route.body && !route.formats?.stream?.isOnly && route.params,
    )
    .map((route) => ({ route, input: createInputReader(route), pattern: patternOf(route.path) }))
    .toSorted((one, other) => paramCount(one) - paramCount(other))
  return async (call, address) => {
    for (let path = pathOf(address); path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
      const found = readable.find(({ pattern }) => pattern.test(path))
      const read = found && readCall(found, call, path)
      if (!read) continue
      await found.route.handle(read)
      return
    }
  }
}

function pathOf(address: string): string {
  const [path = ''] = address.split('?')
  return path.startsWith('/') ? path : `/${path}`
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`, 'i')
}

function paramCount({ route }: ReadableRoute): number {
  return Object.keys(route.params ?? {}).length
}

/** Undefined: this route needs more input than the address. */
function readCall({ input, pattern }: ReadableRoute, call: AnyCall, path: string): AnyCall | undefined {
  try {
    const query = input.query({ query: '' })
    const page = input.page(query, { path }, call.context)
    const params = input.params({ params: pattern.exec(path)?.groups ?? {} })
    const { context, viewer, origin, language, format } = call
    return { context, viewer, origin, language, format, params, query, page, body: undefined, headers: {} }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
