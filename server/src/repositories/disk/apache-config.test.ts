import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shippedApacheConfig } from './apache-config.ts'

test('the shipped configuration equals the generated one', () => {
  const shipped = readFileSync(new URL('../../../../deploy/apache/waypost-svn.conf', import.meta.url), 'utf8')
  expect(shipped).toBe(shippedApacheConfig())
})
