import { globSync } from 'node:fs'

interface Area {
  /** Patterns of the sources in which faults are planted. */
  readonly sources: readonly string[]
  /** Patterns of the tests that are tried, the nearest first. */
  readonly tests: readonly string[]
}

/** Every test starts the whole server, so imports do not tell which tests are near: this list does. */
export const AREAS: Readonly<Record<string, Area>> = {
  'accounts/sign-in': {
    sources: ['server/src/accounts/sign-in/*.ts'],
    tests: [
      'server/src/accounts/sign-in/*.test.ts',
      'server/src/accounts/sessions/*.test.ts',
      'server/src/accounts/access-keys/*.test.ts',
      'server/src/accounts/tokens/*.test.ts',
      'server/src/accounts/passwords/*.test.ts',
      'server/src/repositories/sign-in/*.test.ts',
      'server/test/suites/limited-keys.test.ts',
      'server/test/suites/cross-site.test.ts',
      'server/test/suites/sensitive-routes.test.ts',
      'server/src/feed/stream-events.test.ts',
      'server/src/accounts/users/update-user.test.ts',
      'server/src/platform/jobs/clean-up.test.ts',
      'server/src/projects/references/goto-page.test.ts',
      'server/src/artifacts/original-page.test.ts',
      'server/src/artifacts/attachments/download-page.test.ts',
      'server/test/suites/attacks/rights.test.ts',
    ],
  },
  visibility: {
    sources: ['server/src/{*,*/*}/visibility.ts'],
    tests: [
      'server/src/{*,*/*}/visibility*.test.ts',
      'server/test/suites/artifact-visibility.test.ts',
      'server/test/suites/limited-keys.test.ts',
      'server/src/projects/{get-project,list-projects}.test.ts',
      'server/src/trackers/{get-tracker,list-trackers}.test.ts',
      'server/src/artifacts/{get-artifacts,list-artifacts}.test.ts',
      'server/src/artifacts/search/*.test.ts',
      'server/src/artifacts/cross-tracker/*.rights.test.ts',
      'server/src/artifacts/own-artifacts/*.test.ts',
      'server/src/artifacts/full-text/hidden-texts.test.ts',
      'server/src/artifacts/full-text/searched-artifacts.test.ts',
      'server/src/feed/notifications/watching/*.test.ts',
      'server/src/artifacts/trash/trash.test.ts',
      'server/src/artifacts/links/list-linked-artifacts.test.ts',
      'server/src/feed/event-visibility.test.ts',
    ],
  },
  'feed/webhooks': {
    sources: ['server/src/feed/webhooks/*.ts'],
    tests: [
      'server/src/feed/webhooks/*.test.ts',
      'server/src/feed/workflow-jobs/*.test.ts',
      'server/test/suites/webhook-consumers.test.ts',
      'server/src/platform/operation/secrets.test.ts',
      'server/src/commands/secrets.test.ts',
      'server/test/suites/limited-keys.test.ts',
    ],
  },
  writes: {
    sources: [
      'server/src/artifacts/create-artifact.ts',
      'server/src/artifacts/update-artifact/*.ts',
      'server/src/artifacts/bulk/*.ts',
      'server/src/artifacts/trash/*.ts',
      'server/src/artifacts/moving/*.ts',
      'server/src/platform/http/write.ts',
    ],
    tests: [
      'server/src/artifacts/update-artifact/*.test.ts',
      'server/src/artifacts/{create-artifact,conditional-requests}.test.ts',
      'server/src/artifacts/{bulk,trash,trash/archives,moving,rules}/*.test.ts',
      'server/src/artifacts/attachments/{attach-files,life-of-attachments}.test.ts',
      'server/src/artifacts/links/{cross-references,key-references,set-links}.test.ts',
      'server/src/platform/http/write.test.ts',
      'server/src/platform/http/single-statement.test.ts',
      'server/test/suites/archived-project.test.ts',
      'server/test/suites/attacks/artifacts.test.ts',
      'server/test/suites/attacks/artifact-writes.test.ts',
    ],
  },
  idempotency: {
    sources: ['server/src/platform/http/idempotency.ts'],
    tests: [
      'server/src/platform/http/idempotency.test.ts',
      'server/src/platform/http/write.test.ts',
      'server/src/platform/http/bulk.idempotency.test.ts',
      'server/src/platform/http/conventions.test.ts',
      'server/src/platform/http/single-statement.test.ts',
      'server/src/platform/http/last-modified.test.ts',
      'server/src/platform/jobs/clean-up.test.ts',
      'server/src/platform/database/commit-guard.test.ts',
      'server/src/artifacts/update-artifact/idempotency.test.ts',
    ],
  },
}

/** The files that match, in the same order on every machine. A pattern without a file is the old name of a moved one. */
export function listFiles(patterns: readonly string[]): string[] {
  const files = patterns.flatMap((pattern) => {
    const found = globSync(pattern).toSorted()
    if (found.length === 0) throw new Error(`No file matches ${pattern}.`)
    return found
  })
  return [...new Set(files)]
}
