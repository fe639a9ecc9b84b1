import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { Context } from '../operation/context.ts'
import type { Tx } from '../database/db.ts'
import type { BulkRoute } from './bulk-route.ts'
import type { StreamSource, StreamLimits } from './event-stream.ts'
import type { Export } from './exported-rows.ts'
import { type Id, parseId } from '../database/ids.ts'
import type { PageLimits } from './pages.ts'
import type { ReplayedReply, RouteCall, RouteReply } from './route-call.ts'
import type { Viewer } from './viewer.ts'
import type { StatementWriteContext, WriteContext } from './write-context.ts'

type ReadMethod = 'GET' | 'POST'
type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How a path parameter is parsed; `schema` is for the API description. */
export interface Param<T> {
  readonly schema: TSchema
  parse(text: string, name: string): T
}

/**
 * `everyone`: includes anonymous callers; `signed_in`: others are refused before any lookup; `no_credentials`:
 * credentials are ignored, as for sign-in.
 */
type Access = 'everyone' | 'signed_in' | 'no_credentials'

/** A request of the server to another one: a webhook. */
export interface WebhookRequest {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly body: TSchema
  readonly example: object
}

export interface RouteDescription<P, Q extends TProperties, B extends TSchema, A extends TSchema> {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  /** The purpose, the permitted callers, and the refusals. */
  readonly description?: string
  readonly access: Access
  /** Open to everyone, even if the platform forbids anonymous access. */
  readonly staysOpen?: true
  /** Starts a session, so cross-site requests are refused. */
  readonly signsIn?: true
  readonly params?: { readonly [Name in keyof P]: Param<P[Name]> }
  readonly query?: Q
  readonly body?: B
  readonly bodyRules?: BodyRules<Static<B>>
  /** Absent: the body is empty. */
  readonly answer?: A
  readonly answerOptions?: AnswerOptions
  readonly status?: number
  /** `whole`: the list is not paged, and its pagination headers say so. */
  readonly pages?: PageLimits | 'whole'
  /** The response has an ETag; a write honours `If-Match`. `dated`: also `Last-Modified` and `If-Unmodified-Since`. */
  readonly versioned?: true | 'dated'
  /** Requests that the server sends to an address that this route registers, for the API description. */
  readonly sends?: readonly WebhookRequest[]
  /** When the route was deprecated. */
  readonly deprecated?: Date
  /** The earliest end of a deprecated route: a year or more after the first release that announces it. */
  readonly sunset?: Date
}

interface BodyRules<Body> {
  readonly isOptional?: true
  /** For callers without valid credentials; absent: 64 KiB. */
  readonly maxAnonymousBytes?: number
  /** The body is coerced to its schema, but validated by the handler, which reports more than schema errors. */
  readonly isValidatedByHandler?: true
  /** The body may be bare, without this one member around it. */
  readonly wrapper?: string
  /** The query parameter that takes the same input as the body: links to further pages carry the body in it. */
  readonly sameAsParameter?: string
  /** A body that starts with `{` is JSON, whatever its media type. */
  readonly isSniffed?: true
  /** Checks that a schema cannot express, independent of objects and viewer. */
  check?(body: Body): void
}

interface AnswerOptions {
  /** Schema of `RouteReply.other`: an alternative representation, or the job that continues a write. */
  readonly alternative?: TSchema
  /** Serialized as returned: compiling a serializer for a schema of many variants takes seconds. */
  readonly isAlreadyCut?: true
  /** Set on every response once the viewer is known, including errors. */
  headers?(context: Context, viewer: Viewer): Promise<Record<string, string>>
}

interface ReadRouteDefinition<P, Q extends TProperties, B extends TSchema, A extends TSchema>
  extends RouteDescription<P, Q, B, A> {
  readonly method: ReadMethod
  /** Its first statement confirms a recalled sign-in (`SignIn.recall`), and before that it does nothing for the caller. */
  readonly confirmsSignIn?: true
  readonly formats?: ReadFormats<RouteCall<P, Static<TObject<Q>>, Static<B>>>
  handle(call: RouteCall<P, Static<TObject<Q>>, Static<B>>): Promise<RouteReply<Static<A>>>
}

/** The representations of a read beside the whole answer as JSON or XML. */
interface ReadFormats<Call> {
  /** Accepts `max_bytes`, as every read accepts `fields`. */
  readonly sparse?: true
  /** The media type of the file that it returns; errors are as everywhere. */
  readonly file?: string
  /** May return bytes of any type, on request. */
  readonly bytes?: true
  /** The complete list, for NDJSON and CSV; `tx` is a snapshot. */
  exportRows?(call: Call, tx: Tx): Promise<Export>
  /** The same as an endless stream, for `text/event-stream`; see `event-stream.ts`. */
  readonly stream?: {
    readonly limits: StreamLimits
    /** The route has no other representation. */
    readonly isOnly?: true
    open(call: Call): Promise<StreamSource>
  }
}

interface WriteRouteDefinition<
  P,
  Q extends TProperties,
  B extends TSchema,
  A extends TSchema,
  T,
  S extends true | undefined,
> extends RouteDescription<P, Q, B, A>,
    WriteOptions<RouteCall<P, Static<TObject<Q>>, Static<B>>, T, RouteReply<Static<A>>> {
  readonly method: WriteMethod
  /** The action in the audit log; null: this write is not audited. */
  readonly action: S extends true ? null : string | null
  /** The handler writes by one statement (`work.statement`), or opens a transaction itself (`work.inTransaction`). */
  readonly singleStatement?: S
  handle(
    call: RouteCall<P, Static<TObject<Q>>, Static<B>>,
    work: S extends true ? StatementWriteContext : WriteContext,
    prepared: T,
  ): Promise<RouteReply<Static<A>>>
}

interface WriteOptions<Call, Prepared, Reply> {
  /**
   * Requires a recent confirmation of the password: changes of credentials, and site administration. Calls for which
   * `unless` is true change nothing sensitive.
   */
  readonly sensitive?: true | { unless(call: Call): boolean }
  /** Its events notify people. `notify=false` is accepted; the handler checks who may do so. */
  readonly notifies?: true
  /** The response contains a secret, so it is never stored for replays. */
  readonly secret?: true
  readonly dryRun?: {
    /** Members of the response that only a real write generates; null in a dry run. */
    readonly omits?: readonly string[]
    /** The status of a dry run that responds with an empty body instead of the report. */
    readonly emptyStatus?: number
    /** The handler responds to a dry run in a format of its own. */
    readonly isOwnFormat?: true
  }
  /** Slow or external work before the transaction: a password hash, a request to another system. */
  prepare?(call: Call): Promise<Prepared>
  /**
   * Renders the answer of an earlier equal request again, with current permissions. Without it, the stored answer is
   * repeated if the caller may still read its object.
   */
  replay?(call: Call, stored: ReplayedReply): Promise<Reply>
}

export interface IgnoredNames {
  readonly parameters: readonly string[]
  /** Such as `values[].uri`. */
  readonly members: readonly string[]
}

/**
 * A route with its types erased. `readRoute` and `writeRoute` check them; methods are bivariant in their parameters, so
 * no cast is needed.
 */
export interface Route
  extends RouteDescription<Record<string, unknown>, TProperties, TSchema, TSchema>,
    WriteOptions<unknown, unknown, RouteReply<unknown>> {
  readonly method: ReadMethod | WriteMethod
  readonly writes: boolean
  readonly action: string | null
  readonly confirmsSignIn?: true
  readonly formats?: ReadFormats<unknown>
  readonly singleStatement?: true | undefined
  /** Input that is accepted and reported, but not read: names of parameters, paths of members. */
  readonly ignores?: IgnoredNames
  /** Read and answered line by line; see `bulk.ts`. */
  readonly bulk?: BulkRoute
  handle(call: unknown, work?: StatementWriteContext, prepared?: unknown): Promise<RouteReply<unknown>>
}

/** A route that changes nothing. It uses POST if its input does not fit into an address. */
export function readRoute<P, Q extends TProperties, B extends TSchema, A extends TSchema>(
  route: ReadRouteDefinition<P, Q, B, A>,
): Route {
  return { action: null, ...route, writes: false }
}

/** A route that writes: it runs in one transaction, and supports dry runs and `Idempotency-Key`. */
export function writeRoute<
  P,
  Q extends TProperties,
  B extends TSchema,
  A extends TSchema,
  T = undefined,
  S extends true | undefined = undefined,
>(route: WriteRouteDefinition<P, Q, B, A, T, S>): Route {
  return { ...route, writes: true }
}

export function idParam<T extends Id<string>>(description: string): Param<T> {
  return {
    schema: Type.Integer({ minimum: 1, description }),
    parse: (text, name) => parseId<T>(text, name),
  }
}
