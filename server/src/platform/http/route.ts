import type { IncomingHttpHeaders } from 'node:http'
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { Origin } from '../database/audit.ts'
import type { Catalogue } from '../words/catalogue.ts'
import type { Context } from '../operation/context.ts'
import type { Tx } from '../database/db.ts'
import type { Version } from '../wire/etag.ts'
import type { FieldName } from '../wire/sparse.ts'
import type { BulkRoute } from './bulk.ts'
import type { Follow, StreamLimits, StreamRoute } from './event-stream.ts'
import type { Export } from './export.ts'
import { type Id, parseId } from '../database/ids.ts'
import type { Page, PageLimits, Place } from './pages.ts'
import type { Content } from './send-content.ts'
import type { Viewer } from './viewer.ts'
import type { FreeWork, Work } from './work.ts'

type ReadMethod = 'GET' | 'POST'
type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How a part of the path is read; `schema` describes it in the API description. */
export interface Param<T> {
  readonly schema: TSchema
  parse(text: string, name: string): T
}

/** What a handler is given: everything has been checked that can be checked without stored objects. */
export interface Call<P, Q, B> {
  readonly context: Context
  readonly viewer: Viewer
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly page: Page
  readonly headers: IncomingHttpHeaders
  readonly origin: Origin
  readonly language: Catalogue
  /** While it is prepared: nothing of it will stay. */
  readonly isDryRun?: true
  /** The members of a sparse answer that are asked for; absent: all. The platform leaves out the others. */
  readonly chosen?: ReadonlySet<string>
  /** For streams, which leave out the others themselves, element by element; absent: all is asked for. */
  readonly cut?: CutElements
}

export interface CutElements {
  /** Refuses names of fields that are not among the readable ones. */
  requireReadable(fields: readonly FieldName[]): void
  element(element: unknown, fields: readonly FieldName[]): unknown
  /** Those of the fields whose entries are asked for in a member that has one for each field. */
  picked<Field extends FieldName>(member: string, fields: readonly Field[]): readonly Field[]
}

export interface Reply<T> {
  /** Absent: an empty body. */
  body?: T
  /** Where the route's own does not fit. */
  status?: number
  /** The `uri` of what was made; becomes an absolute `Location`. */
  location?: string
  /** Becomes the Etag, and `Last-Modified` where it says when. */
  version?: Version
  headers?: Record<string, string>
  /** The exact size of a collection for this viewer. */
  size?: number
  /** Where the next page begins; absent: there is none. */
  next?: Place | undefined
  /** The place behind each element, where the page may be cut shorter: `cutPage` gives it. */
  placeAt?: (element: number) => Place | undefined
  /** All fields that this viewer may read here, with a value or without: a sparse answer picks entries by their names. */
  fieldNames?: readonly FieldName[]
  /** Instead of a body, where the route has another answer too: no page, and whole. */
  other?: unknown
  /** Instead of a body, where the route answers with a file. */
  file?: { name: string } & Pick<Content, 'size' | 'etag' | 'modified' | 'open'>
  /** Instead of a body, where the caller of a read asks for bytes: they leave under the headers that they bring along. */
  content?: Content
}

/**
 * Who may call: `everyone`, anonymous people among them; `signed_in`: others are refused before anything is looked up;
 * `no_credentials`: they are not even looked at, as where one signs in.
 */
type Access = 'everyone' | 'signed_in' | 'no_credentials'

export interface Described<P, Q extends TProperties, B extends TSchema, A extends TSchema> {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly access: Access
  /** A way in: open to everyone even where the platform forbids anonymous access. */
  readonly staysOpen?: true
  /** It signs somebody in, so a request that a foreign page made is refused. */
  readonly signsIn?: true
  readonly params?: { readonly [Name in keyof P]: Param<P[Name]> }
  readonly query?: Q
  readonly body?: B
  /** The body may be left out. */
  readonly bodyOptional?: true
  /** On every answer from the moment on that it is known who asks, refusals among them. */
  answerHeaders?(context: Context, viewer: Viewer): Promise<Record<string, string>>
  /** Brought to the types of its schema, as far as it can be, but judged by the handler: it tells more than faults. */
  readonly bodyJudged?: 'by_handler'
  /** The body may come bare, without this one member around it. */
  readonly bodyWrap?: string
  /** Refuses what no schema can say, and what is the same for every object and every viewer. */
  checkBody?(body: Static<B>): void
  /** A body that begins with `{` is JSON, whatever type the client names. */
  readonly bodySniffed?: true
  /** Absent: the body is empty. */
  readonly answer?: A
  /** What it answers with where the caller asks for something else than the usual, or a write goes on as a job: `Reply.other`. */
  readonly otherAnswer?: TSchema
  /** Printed as the handler returns it: a schema of many variants costs seconds to print by, the first time. */
  readonly answerAsItIs?: true
  readonly status?: number
  /** `whole`: the list is not cut, and says so in the pagination headers. */
  readonly pages?: PageLimits | 'whole'
  /** The answer has an Etag; a write honours `If-Match`. `dated`: it has `Last-Modified` too, and `If-Unmodified-Since`. */
  readonly versioned?: true | 'dated'
  /** Since when it is discouraged. */
  readonly deprecated?: Date
}

interface Reading<P, Q extends TProperties, B extends TSchema, A extends TSchema> extends Described<P, Q, B, A> {
  readonly method: ReadMethod
  /** Takes `fields` and `max_bytes`. */
  readonly sparse?: true
  /** The media type of the file that it answers with; refusals are as everywhere. */
  readonly file?: string
  /** Where asked, it answers with bytes instead, of whatever type they are. */
  readonly bytes?: true
  /** The whole list, for NDJSON and CSV; `tx` sees one moment. */
  exportRows?(call: Call<P, Static<TObject<Q>>, Static<B>>, tx: Tx): Promise<Export>
  /** The same without an end, for `text/event-stream`; see `event-stream.ts`. */
  readonly stream?: {
    readonly limits: StreamLimits
    /** It is had in no other form. */
    readonly isOnly?: true
    open(call: Call<P, Static<TObject<Q>>, Static<B>>): Promise<Follow>
  }
  handle(call: Call<P, Static<TObject<Q>>, Static<B>>): Promise<Reply<Static<A>>>
}

interface Writing<P, Q extends TProperties, B extends TSchema, A extends TSchema, T, S extends true | undefined>
  extends Described<P, Q, B, A> {
  readonly method: WriteMethod
  /** The name in the audit log; null where the log does not hold this kind of write. */
  readonly action: S extends true ? null : string | null
  /** Its handler writes by one statement (`work.statement`), or opens a transaction itself (`work.whole`). */
  readonly singleStatement?: S
  /** Its answer holds a secret: never stored for replays. The member of the answer that names what was made. */
  readonly secret?: true
  /** Members of the answer that only a real write can give; a dry run shows null. */
  readonly givenByWrite?: readonly string[]
  /** The status of a dry run that keeps its own form: an empty body instead of the report. */
  readonly dryRunStatus?: number
  /** The handler answers a dry run in a form of its own. */
  readonly ownDryRun?: true
  /** Slow or outside work before the transaction begins: a password hash, a look at another system. */
  prepare?(call: Call<P, Static<TObject<Q>>, Static<B>>): Promise<T>
  handle(
    call: Call<P, Static<TObject<Q>>, Static<B>>,
    work: S extends true ? FreeWork : Work,
    prepared: T,
  ): Promise<Reply<Static<A>>>
}

/**
 * A route as the platform sees it. Its parts were checked against each other where it was defined; here, among all the
 * others, their types are open (methods take their parameters both ways, so no cast is needed).
 */
export interface Route {
  readonly method: ReadMethod | WriteMethod
  readonly writes: boolean
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly access: Access
  readonly staysOpen?: true
  readonly signsIn?: true
  readonly params?: Readonly<Record<string, AnyParam>>
  readonly query?: TProperties
  readonly body?: TSchema
  readonly bodyOptional?: true
  readonly bodyJudged?: 'by_handler'
  readonly bodyWrap?: string
  answerHeaders?(context: Context, viewer: Viewer): Promise<Record<string, string>>
  checkBody?(body: unknown): void
  readonly bodySniffed?: true
  readonly answer?: TSchema
  readonly otherAnswer?: TSchema
  readonly answerAsItIs?: true
  readonly sparse?: true
  readonly file?: string
  readonly bytes?: true
  readonly status?: number
  readonly pages?: PageLimits | 'whole'
  readonly versioned?: true | 'dated'
  readonly deprecated?: Date
  readonly action: string | null
  /** Read and answered line by line; see `bulk.ts`. */
  readonly bulk?: BulkRoute
  readonly singleStatement?: true | undefined
  readonly secret?: true
  readonly givenByWrite?: readonly string[]
  readonly dryRunStatus?: number
  readonly ownDryRun?: true
  exportRows?(call: unknown, tx: Tx): Promise<Export>
  readonly stream?: StreamRoute
  prepare?(call: unknown): Promise<unknown>
  handle(call: unknown, work?: FreeWork, prepared?: unknown): Promise<Reply<unknown>>
}

interface AnyParam {
  readonly schema: TSchema
  parse(text: string, name: string): unknown
}

/** A route that changes nothing. A POST among them is one whose input would not fit an address. */
export function readRoute<P, Q extends TProperties, B extends TSchema, A extends TSchema>(
  route: Reading<P, Q, B, A>,
): Route {
  return { action: null, ...route, writes: false }
}

/** A route that writes: it runs in one transaction, with dry run and `Idempotency-Key` for free. */
export function writeRoute<
  P,
  Q extends TProperties,
  B extends TSchema,
  A extends TSchema,
  T = undefined,
  S extends true | undefined = undefined,
>(route: Writing<P, Q, B, A, T, S>): Route {
  return { ...route, writes: true }
}

export function idParam<T extends Id<string>>(description: string): Param<T> {
  return {
    schema: Type.Integer({ minimum: 1, description }),
    parse: (text, name) => parseId<T>(text, name),
  }
}
