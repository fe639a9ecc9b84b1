import type { FastifyRequest } from 'fastify'
import type { Context } from '../operation/context.ts'
import { ApiError } from '../messages/errors.ts'
import { isStorableText } from '../wire/coerce.ts'
import { isRecord } from '../wire/schema-shape.ts'
import type { Route } from './route.ts'
import type { Viewer } from './viewer.ts'

declare module '../operation/context.ts' {
  interface Context {
    /** Objects that addresses may name; their rooms provide them. */
    readonly namedObjects: readonly NamedObjects[]
  }
}

/** A collection whose objects have names beside their ids: `/projects/@orchard`. */
export interface NamedObjects {
  /** The first segment of its addresses. */
  readonly collection: string
  /** The id of the object with this name, if the viewer may see it. Throws if several have the name. */
  findId(context: Context, viewer: Viewer, name: string): Promise<number | undefined>
}

const MARK = '@'
const NAMED_ADDRESS = /^\/(artifacts|projects|trackers|users)\/:(\w+)/

/** The collection and the parameter of an address that may contain a name instead of an id. */
export function namedParameter({ path }: Pick<Route, 'path'>): { collection: string; parameter: string } | undefined {
  const [, collection, parameter] = NAMED_ADDRESS.exec(path) ?? []
  return collection === undefined || parameter === undefined ? undefined : { collection, parameter }
}

/**
 * The path parameters with the id of a named object. Everything after this step uses the address with the id, so that
 * cursors and idempotency keys are the same for both. Hidden and absent names get the same response.
 */
export async function resolveName(
  route: Route,
  context: Context,
  viewer: Viewer,
  { params, exchange }: Pick<FastifyRequest, 'params' | 'exchange'>,
): Promise<{ params: unknown }> {
  const named = namedParameter(route)
  const given = named && isRecord(params) ? params[named.parameter] : undefined
  if (!named || typeof given !== 'string' || !given.startsWith(MARK)) return { params }
  const objects = context.namedObjects.find(({ collection }) => collection === named.collection)
  const name = given.slice(MARK.length)
  const id = isStorableText(name) ? await objects?.findId(context, viewer, name) : undefined
  if (id === undefined) throw new ApiError(viewer.account_id === undefined ? 'authentication_required' : 'not_found')
  const [root = '', collection = '', , ...below] = exchange.path.split('/')
  exchange.path = [root, collection, id, ...below].join('/')
  return { params: { ...(isRecord(params) && params), [named.parameter]: String(id) } }
}
