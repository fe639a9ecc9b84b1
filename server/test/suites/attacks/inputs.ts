import { querySchema } from '../../../src/platform/http/input.ts'
import type { Route } from '../../../src/platform/http/route.ts'
import type { Context } from '../../../src/platform/operation/context.ts'
import { isRecord, type Shape, shapeOf } from '../../../src/platform/wire/schema-shape.ts'
import { ROUTES } from '../../../src/routes.ts'
import type { RequestOptions } from '../../harness/client.ts'
import { type TestPerson, TOM, VICTOR } from '../../fixtures/people.ts'
import type { PermissionRow } from '../../fixtures/permission-rules.ts'
import { RIGHTS } from '../../fixtures/rights.ts'
import { PRINCIPALS, type Principal, type State } from '../../fixtures/subjects.ts'

/** A route with a valid request: the basis of cases on every route. */
export interface RouteTarget {
  readonly route: Route
  readonly row: PermissionRow
  readonly name: string
  /** A caller with the required permission. */
  readonly caller: TestPerson | undefined
}

/** A member of a body, or a query parameter, that takes input. */
export interface InputPlace {
  readonly target: RouteTarget
  readonly name: string
  readonly shape: Shape
  /** Member names, and list indices. */
  readonly path: readonly string[]
}

export const TARGETS: readonly RouteTarget[] = ROUTES.flatMap((route) => {
  const row = RIGHTS[route.operationId]
  return row ? [{ route, row, name: route.operationId, caller: findCaller(row) }] : []
})

/** Routes on objects in a project that some callers see and others do not. */
export const IN_PROJECTS = TARGETS.filter(
  ({ row: { subject } }) =>
    subject.params('T1', 'P3')['id'] !== TOM.id && subject.sees('P3', 'T1') && !subject.sees('P3', 'T2'),
).filter(({ row: { subject } }) => subject.params('T2', 'P3')['id'] !== VICTOR.key_id)

export const BODY_PLACES: readonly InputPlace[] = TARGETS.flatMap((target) =>
  target.route.body
    ? placesIn(shapeOf(target.route.body)).map(({ path, shape }) => ({
        target,
        path,
        shape,
        name: `${target.name} ${path.join('.')}`,
      }))
    : [],
)

export const QUERY_PLACES: readonly InputPlace[] = TARGETS.flatMap((target) =>
  Object.entries(querySchema(target.route).properties)
    .filter(([name]) => name !== 'dry_run')
    .map(([name, schema]) => ({ target, path: [name], shape: shapeOf(schema), name: `${target.name} ?${name}=` })),
)

/** Groups the places by route. */
export function byRoute(
  places: readonly InputPlace[],
): { name: string; target: RouteTarget; places: readonly InputPlace[] }[] {
  return [...Map.groupBy(places, ({ target }) => target)].map(([target, each]) => ({
    name: target.name,
    target,
    places: each,
  }))
}

/** The path of a target; `params` replace its own parameters, and are already escaped. */
export function targetPath(
  { route, row }: Pick<RouteTarget, 'route' | 'row'>,
  { principal = 'P8', state = 'T1', params = {} }: { principal?: Principal; state?: State; params?: Params } = {},
): string {
  const named: Params = { ...row.subject.params(state, principal), ...params }
  return route.path.replaceAll(/:(\w+)/g, (_, name: string) => String(named[name]))
}

type Params = Record<string, string | number>

/** The URL of a target with its usual query, in which `extra` replaces a parameter of its name; writes are dry runs, unless `real`. */
export function targetAddress(target: RouteTarget, extra: string | undefined = '', real = false): string {
  const { route, row, caller } = target
  const [principal] = principals().find(([, person]) => person === caller) ?? ['P8' as const]
  const [name = ''] = extra.split('=')
  const usual = row.query?.split('&').filter((each) => name === '' || !each.startsWith(`${name}=`)) ?? []
  const query = [...usual, extra, route.writes && !real && 'dry_run=true'].filter(Boolean).join('&')
  return `${targetPath(target, { principal })}${query === '' ? '' : `?${query}`}`
}

/** The usual caller and body. */
export function usualOptions(
  { route, row, caller }: RouteTarget,
  body: unknown = usualBody({ route, row }),
): RequestOptions {
  return { ...(caller && { as: caller }), ...(body !== undefined && { body }) }
}

/** The usual body, with the optional wrapper member. */
export function usualBody({ route: { bodyRules }, row: { body } }: Pick<RouteTarget, 'route' | 'row'>): unknown {
  const wrapper = bodyRules?.wrapper
  return wrapper !== undefined && !(isRecord(body) && wrapper in body) ? { [wrapper]: body } : body
}

/** A copy of `value` with `given` at that path. */
export function withValueAt(value: unknown, [name, ...rest]: readonly string[], given: unknown): unknown {
  if (name === undefined) return given
  if (/^\d+$/.test(name)) return [withValueAt(Array.isArray(value) ? value[Number(name)] : undefined, rest, given)]
  const members = isRecord(value) ? value : {}
  return { ...members, [name]: withValueAt(members[name], rest, given) }
}

/** Whether this place accepts text and no other type. */
export function takesText({ shape }: InputPlace): boolean {
  return shape.kind === 'string' || (shape.kind === 'union' && shape.variants.some(({ kind }) => kind === 'string'))
}

/** The usual request with this text at that place. */
export function withText({ target, path }: InputPlace, text: string): RequestOptions {
  return usualOptions(target, withValueAt(usualBody(target), path, text))
}

/** The usual query without this parameter. */
export function queryWithout({ row }: RouteTarget, name: string): string {
  const kept = (row.query ?? '').split('&').filter((pair) => pair !== '' && !pair.startsWith(`${name}=`))
  return kept.map((pair) => `${pair}&`).join('')
}

/** Resets the failed sign-ins, so that the throttle does not interfere with other cases. */
export async function clearSignInFailures({ db }: Pick<Context, 'db'>, { row }: RouteTarget): Promise<void> {
  if (row.counts) await db.deleteFrom('sign_in_failure').execute()
}

export function principals(): [Principal, TestPerson | undefined][] {
  return Object.entries(PRINCIPALS).filter((each): each is [Principal, TestPerson | undefined] => each[0] in PRINCIPALS)
}

function findCaller(row: PermissionRow): TestPerson | undefined {
  const order: Principal[] = ['P8', 'P5', 'P7', 'P1']
  return PRINCIPALS[order.find((principal) => row.right(principal, 'T1')) ?? 'P8']
}

function placesIn(shape: Shape, path: readonly string[] = []): { path: readonly string[]; shape: Shape }[] {
  if (shape.kind === 'object') return [...shape.members].flatMap(([name, each]) => placesIn(each, [...path, name]))
  if (shape.kind === 'array') return placesIn(shape.items, [...path, '0'])
  return [{ path, shape }]
}
