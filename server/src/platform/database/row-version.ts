/**
 * How long a row version (`xmin`) may be kept for comparison: far shorter than PostgreSQL takes to use a transaction id
 * again (2^32 transactions).
 */
export const MAX_ROW_VERSION_AGE_MS = 3_600_000
