import type { Context } from '../../src/platform/operation/context.ts'

/**
 * Requests then never ask whether the database is unchanged. Other tests write to the same PostgreSQL, so that their
 * statements would differ from run to run.
 */
export function ignoreSnapshots({ snapshots }: Context): void {
  Object.defineProperty(snapshots, 'latest', { get: () => undefined })
}
