/** Set on every response. Cacheable responses override `cache-control`. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  // For requests without CORS only (images, scripts, frames): `fetch` from other origins still works.
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

const ACCEPTED = [
  'Authorization',
  'Content-Type',
  'Origin',
  'X-Auth-UserId',
  'X-Auth-Token',
  'X-Client-Uuid',
  'X-Auth-AccessKey',
  'Accept',
  'Accept-Language',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Unmodified-Since',
  'Last-Event-ID',
  'X-Request-Id',
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Offset',
  'Upload-Metadata',
  'Content-Digest',
  'X-HTTP-Method-Override',
]

const EXPOSED = [
  'X-PAGINATION-LIMIT',
  'X-PAGINATION-OFFSET',
  'X-PAGINATION-SIZE',
  'X-PAGINATION-LIMIT-MAX',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-QUOTA',
  'X-DISK-USAGE',
  'X-UPLOAD-MAX-FILE-CHUNKSIZE',
  'X-Notifications-Unread',
  'X-Request-Id',
  'Etag',
  'Last-Modified',
  'Location',
  'Link',
  'Retry-After',
  'Idempotency-Replayed',
  'X-Criteria-Ignored',
  'X-Waypost-Ignored',
  'Deprecation',
  'Sunset',
]

/** Any page may call with a key or token; cookies never count across origins, so no credentials are allowed. */
export const API_HEADERS = {
  vary: 'Accept',
  'access-control-allow-origin': '*',
  'access-control-allow-headers': ACCEPTED.join(', '),
  'access-control-expose-headers': EXPOSED.join(', '),
}
