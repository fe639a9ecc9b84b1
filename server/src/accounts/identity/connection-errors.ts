/** Why a connection failed, in words; `ca` says where a certificate authority is named. */
export function describeConnectionError(error: unknown, ca: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return knownCodes(ca)[code] ?? (code || 'the connection failed')
}

function knownCodes(ca: string): Readonly<Record<string, string>> {
  return {
    ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
    ECONNRESET: 'the connection was closed (ECONNRESET)',
    EHOSTUNREACH: 'there is no route to it (EHOSTUNREACH)',
    CERT_HAS_EXPIRED: 'its certificate has expired',
    DEPTH_ZERO_SELF_SIGNED_CERT: `its certificate is self-signed; name your CA in ${ca}`,
    SELF_SIGNED_CERT_IN_CHAIN: `its certificate is of an unknown CA; name your CA in ${ca}`,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an unknown CA, or an intermediate one is missing',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an unknown CA, or an intermediate one is missing',
    ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  }
}
