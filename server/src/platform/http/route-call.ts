import type { IncomingHttpHeaders } from 'node:http'
import type { Origin } from '../database/audit.ts'
import type { Catalogue } from '../messages/catalogue.ts'
import type { Context } from '../operation/context.ts'
import type { ResourceVersion } from '../wire/etag.ts'
import type { SelectableField } from '../wire/sparse.ts'
import type { Pagination, KeysetPosition } from './pages.ts'
import type { AnswerFormat } from './request-state.ts'
import type { SendableContent } from './send-content.ts'
import type { RecalledSignIn, Viewer } from './viewer.ts'

/** The input of a handler. Everything that needs no stored objects is validated. */
export interface RouteCall<P, Q, B> {
  readonly context: Context
  readonly viewer: Viewer
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly page: Pagination
  readonly headers: IncomingHttpHeaders
  readonly origin: Origin
  readonly language: Catalogue
  /** Of the response; handlers need it only to look for a stored one. */
  readonly format: AnswerFormat
  /** On routes with `confirmsSignIn`: the first statement has to confirm it. Absent: the viewer has signed in. */
  readonly recalled?: RecalledSignIn
  /** Set during `prepare` of a dry run. */
  readonly isDryRun?: true
  /** The requested members of a sparse response; absent: all. The platform removes the others. */
  readonly chosen?: ReadonlySet<string>
  /** For streams, which cut each element themselves; absent: everything is requested. */
  readonly cut?: CutElements
  /** For handlers of large pages: serializes some elements, so that the page is not in memory as objects. */
  readonly printElements?: (elements: readonly unknown[]) => Promise<readonly Buffer[]>
}

export type AnyCall = RouteCall<unknown, Record<string, unknown>, unknown>

export interface CutElements {
  /** Refuses names of unreadable fields. */
  requireReadable(fields: readonly SelectableField[]): void
  element(element: unknown, fields: readonly SelectableField[]): unknown
  /** The fields whose entries are requested in a member with one entry per field. */
  picked<Field extends SelectableField>(member: string, fields: readonly Field[]): readonly Field[]
}

/** A response as it was sent before. */
export interface StoredReply {
  readonly etag: string
  /** Of the `Last-Modified` header. */
  readonly lastModified: string | undefined
  /** In the format of the call. Absent: only the ETag is stored, and the caller has named it in `If-None-Match`. */
  readonly body?: Buffer
}

export interface RouteReply<T> {
  /** Absent: an empty body. */
  body?: T
  /** Instead of `body`: the elements of a list, by `printElements`. */
  printed?: readonly Buffer[]
  /** Overrides the status of the route. */
  status?: number
  /** The `uri` of the created object; becomes an absolute `Location`. */
  location?: string
  /** Becomes the ETag, and `Last-Modified` if it has a date. */
  version?: ResourceVersion
  headers?: Record<string, string | string[]>
  /** The exact size of a collection for this viewer; `later`: a link leads to it. */
  size?: number | 'later'
  /** Keyset position of the next page; absent: there is none. */
  next?: KeysetPosition | undefined
  /** Keyset position after each element, for pages that may be cut shorter; `cutPage` returns it. */
  placeAt?: (element: number) => KeysetPosition | undefined
  /**
   * All fields that this viewer may read, with or without a value: a sparse response selects entries by their names.
   */
  fieldNames?: readonly SelectableField[]
  /** Instead of `body`, for a route with an alternative answer: not paged, not cut. */
  other?: unknown
  /** Instead of `body`, for a route that responds with a file. */
  file?: { name: string } & Pick<SendableContent, 'size' | 'etag' | 'modified' | 'open'>
  /** Instead of `body`, if the caller of a read requests bytes: sent with their own headers. */
  content?: SendableContent
  /** Instead of `body`: the response to an equal call, which is still valid. */
  stored?: StoredReply
  /** Called with the whole response before it is sent, for handlers that store it. */
  store?: (reply: Omit<StoredReply, 'body'> & { readonly text: string }) => void
}

export interface ReplayedReply {
  readonly location: string | null
  readonly version: ResourceVersion | null
  /** JSON. */
  readonly body: string | null
}
