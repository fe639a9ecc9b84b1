import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shippedApacheConfig } from './apache-config.ts'

test('the configuration that is shipped is the one that the server makes', () => {
  const shipped = readFileSync(new URL('../../../../deploy/apache/waypost-svn.conf', import.meta.url), 'utf8')
  expect(shipped).toBe(shippedApacheConfig())
})
