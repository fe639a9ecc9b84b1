/** The reasons for which a sign-in by a provider is refused. The sign-in page has a sentence for each. */
export const IDENTITY_REFUSALS = [
  'provider_unknown',
  'provider_unavailable',
  'expired',
  'denied',
  'invalid',
  'address_unverified',
  'address_not_allowed',
  'account_unknown',
  'account_exists',
  'account_linked',
  'account_pending',
  'account_suspended',
  'account_deleted',
  'account_unusable',
  'ended',
] as const
export type IdentityRefusal = (typeof IDENTITY_REFUSALS)[number]

/** Ends the sign-in; the page gets the code, the log the details. */
export class SignInRefused extends Error {
  readonly code: IdentityRefusal

  constructor(code: IdentityRefusal, details?: string) {
    super(details ?? code)
    this.code = code
  }
}
