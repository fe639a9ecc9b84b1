import type { RatePolicy } from '../../platform/http/rate-limit.ts'

/** Rate limits per client for anonymous requests that send a mail. Each costs a job and an audit row. */
export const PASSWORD_RESET_REQUESTS: RatePolicy = { name: 'password-resets', quota: 20, windowSeconds: 3600 }
export const REGISTRATION_REQUESTS: RatePolicy = { name: 'registrations', quota: 20, windowSeconds: 3600 }
