import type { IncomingHttpHeaders } from 'node:http'
import type { Route } from './route.ts'
import type { RecalledSignIn, Viewer } from './viewer.ts'

/** The part of a request that authenticates it: headers only, never the body. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders
  readonly method: string
  readonly address: string
  /** The call changes nothing, so a read-only key suffices. */
  readonly reads: boolean
  /** A page for people: the cookie of a cross-site link is ignored without an error. */
  readonly visits?: true
  readonly request_id: string
}

/** A port: the platform decides when to authenticate, the accounts room implements it. */
export interface SignIn {
  challenge(headers: IncomingHttpHeaders): string
  /** When the sign-in method of this request was deprecated; undefined: it is not. */
  deprecatedSince(headers: IncomingHttpHeaders): Date | undefined
  /** Whether a visit has a cookie that is ignored, because it comes from a page of another site. */
  ignoresCookie(headers: IncomingHttpHeaders): boolean
  /** Refuses a cross-site request, which could sign a person in without their knowledge (login CSRF). */
  requireNotCrossSite(headers: IncomingHttpHeaders): void
  /** Refuses a project-scoped credential on a route that is not about one project. */
  requireProjectRoute(viewer: Viewer, route: Route): void
  /** Refuses a sensitive change unless the password was confirmed recently or the credential has the scope for it. */
  requireConfirmation(viewer: Viewer): void
  /**
   * The sign-in of the same credential a moment ago, for routes whose first statement confirms it (`confirmsSignIn`);
   * undefined if `authenticate` has to decide.
   */
  recall(credentials: Credentials): RecalledSignIn | undefined
  /** Also reloads changed platform settings: one database access starts every request. */
  authenticate(credentials: Credentials): Promise<Viewer>
}
