import { querySchema } from '../../src/platform/http/input.ts'
import type { Route } from '../../src/platform/http/route.ts'
import type { Context } from '../../src/platform/operation/context.ts'
import { isRecord, type Shape, shapeOf } from '../../src/platform/wire/schema-shape.ts'
import { ROUTES } from '../../src/routes.ts'
import type { RequestOptions } from '../client.ts'
import { type Person, TOM, VICTOR } from '../people.ts'
import type { Row } from '../right.ts'
import { RIGHTS } from '../rights.ts'
import { PRINCIPALS, type Principal, type State } from '../subjects.ts'

/** A route with a request that it takes: cases on "every route" start from here. */
export interface Target {
  readonly route: Route
  readonly row: Row
  readonly name: string
  /** Somebody who may call it. */
  readonly caller: Person | undefined
}

/** A place in a body, or a parameter of the address, where something can be put. */
export interface Place {
  readonly target: Target
  readonly name: string
  readonly shape: Shape
  /** Names of members, and indices of lists. */
  readonly path: readonly string[]
}

export const TARGETS: readonly Target[] = ROUTES.flatMap((route) => {
  const row = RIGHTS[route.operationId]
  return row ? [{ route, row, name: route.operationId, caller: callerOf(row) }] : []
})

/** Routes on something in a project that some see and others do not. */
export const IN_PROJECTS = TARGETS.filter(
  ({ row: { subject } }) =>
    subject.params('T1', 'P3')['id'] !== TOM.id && subject.sees('P3', 'T1') && !subject.sees('P3', 'T2'),
).filter(({ row: { subject } }) => subject.params('T2', 'P3')['id'] !== VICTOR.key_id)

export const BODY_PLACES: readonly Place[] = TARGETS.flatMap((target) =>
  target.route.body
    ? placesIn(shapeOf(target.route.body)).map(({ path, shape }) => ({
        target,
        path,
        shape,
        name: `${target.name} ${path.join('.')}`,
      }))
    : [],
)

export const QUERY_PLACES: readonly Place[] = TARGETS.flatMap((target) =>
  Object.entries(querySchema(target.route).properties)
    .filter(([name]) => name !== 'dry_run')
    .map(([name, schema]) => ({ target, path: [name], shape: shapeOf(schema), name: `${target.name} ?${name}=` })),
)

/** One case for all places of a route. */
export function byRoute(places: readonly Place[]): { name: string; target: Target; places: readonly Place[] }[] {
  return [...Map.groupBy(places, ({ target }) => target)].map(([target, each]) => ({
    name: target.name,
    target,
    places: each,
  }))
}

/** The path of a target with what it names; what is given in `params` replaces that, and is escaped already. */
export function pathOf(
  { route, row }: Pick<Target, 'route' | 'row'>,
  { principal = 'P8', state = 'T1', params = {} }: { principal?: Principal; state?: State; params?: Params } = {},
): string {
  const named: Params = { ...row.subject.params(state, principal), ...params }
  return route.path.replaceAll(/:(\w+)/g, (_, name: string) => String(named[name]))
}

type Params = Record<string, string | number>

/** The address of a target with its usual query; writes are rehearsed, unless `real`. */
export function addressOf(target: Target, extra: string | undefined = '', real = false): string {
  const { route, row, caller } = target
  const [principal] = principals().find(([, person]) => person === caller) ?? ['P8' as const]
  const query = [row.query, extra, route.writes && !real && 'dry_run=true'].filter(Boolean).join('&')
  return `${pathOf(target, { principal })}${query === '' ? '' : `?${query}`}`
}

/** Who calls, and with which body. */
export function optionsOf({ route, row, caller }: Target, body: unknown = bodyOf({ route, row })): RequestOptions {
  return { ...(caller && { as: caller }), ...(body !== undefined && { body }) }
}

/** The usual body, with the member around it that clients may leave out. */
export function bodyOf({ route: { bodyWrap }, row: { body } }: Pick<Target, 'route' | 'row'>): unknown {
  return bodyWrap !== undefined && !(isRecord(body) && bodyWrap in body) ? { [bodyWrap]: body } : body
}

/** A copy of `value` with something else at that place. */
export function put(value: unknown, [name, ...rest]: readonly string[], given: unknown): unknown {
  if (name === undefined) return given
  if (/^\d+$/.test(name)) return [put(Array.isArray(value) ? value[Number(name)] : undefined, rest, given)]
  const members = isRecord(value) ? value : {}
  return { ...members, [name]: put(members[name], rest, given) }
}

/** Whether this place takes a text and no other type. */
export function takesText({ shape }: Place): boolean {
  return shape.kind === 'string' || (shape.kind === 'union' && shape.variants.some(({ kind }) => kind === 'string'))
}

/** The usual request with this text at that place. */
export function withText({ target, path }: Place, text: string): RequestOptions {
  return optionsOf(target, put(bodyOf(target), path, text))
}

/** The usual query without this parameter, ready for another one. */
export function othersOf({ row }: Target, name: string): string {
  const kept = (row.query ?? '').split('&').filter((pair) => pair !== '' && !pair.startsWith(`${name}=`))
  return kept.map((pair) => `${pair}&`).join('')
}

/** Wrong passwords are counted; in most cases they are what is tried, not what is tested. */
export async function forget({ db }: Pick<Context, 'db'>, { row }: Target): Promise<void> {
  if (row.counts) await db.deleteFrom('sign_in_failure').execute()
}

export function principals(): [Principal, Person | undefined][] {
  return Object.entries(PRINCIPALS).filter((each): each is [Principal, Person | undefined] => each[0] in PRINCIPALS)
}

function callerOf(row: Row): Person | undefined {
  const order: Principal[] = ['P8', 'P5', 'P7', 'P1']
  return PRINCIPALS[order.find((principal) => row.right(principal, 'T1')) ?? 'P8']
}

function placesIn(shape: Shape, path: readonly string[] = []): { path: readonly string[]; shape: Shape }[] {
  if (shape.kind === 'object') return [...shape.members].flatMap(([name, each]) => placesIn(each, [...path, name]))
  if (shape.kind === 'array') return placesIn(shape.items, [...path, '0'])
  return [{ path, shape }]
}
