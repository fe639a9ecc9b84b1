import { expect, test } from 'vitest'
import { changesCounts } from './counts-after-writes.ts'

test.each([
  ['/api/v1/artifacts', 'POST'],
  ['/api/v1/artifacts/12', 'PUT'],
  ['/api/v1/artifacts/12?version=3', 'PATCH'],
  ['/api/v1/artifacts/12', 'DELETE'],
  ['/api/v1/artifacts/12/copy', 'POST'],
  ['/api/v1/artifacts/bulk', 'POST'],
])('%s by %s may change the counts', (url, method) => {
  expect(changesCounts(url, method)).toBe(true)
})

test.each([
  ['/api/v1/artifacts/12', 'GET'],
  ['/api/v1/artifacts/12', undefined],
  ['/api/v1/artifacts/12/seen', 'PUT'],
  ['/api/v1/artifacts/12?dry_run=true', 'PUT'],
  ['/api/v1/trackers/12/tracker_reports', 'POST'],
])('%s by %s does not', (url, method) => {
  expect(changesCounts(url, method)).toBe(false)
})
