import type { IncomingHttpHeaders } from 'node:http'
import type { Viewer } from './viewer.ts'

/** The part of a request that may tell who asks: headers only, never the body. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders
  readonly method: string
  readonly address: string
  /** The call changes nothing, so a key that may only read suffices. */
  readonly reads: boolean
  /** A page for people, which they reach by links: a cookie of another site's link does not count, and is no error. */
  readonly visits?: true
  readonly request_id: string
}

/** A port: the platform knows when to ask who it is, the accounts room knows how to find out. */
export interface SignIn {
  challenge(headers: IncomingHttpHeaders): string
  /** Since when the way in which this request signs in is discouraged; undefined: it is not. */
  discouragedSince(headers: IncomingHttpHeaders): Date | undefined
  /** Whether a visit brings a cookie that does not count, because a page of another site led here. */
  ignoresCookie(headers: IncomingHttpHeaders): boolean
  /** Refuses a request that a page of another site made: nobody is to be signed in behind his back. */
  requireOwnPage(headers: IncomingHttpHeaders): void
  /** Also brings the platform settings up to date: one look at the database begins every request. */
  authenticate(credentials: Credentials): Promise<Viewer>
}
