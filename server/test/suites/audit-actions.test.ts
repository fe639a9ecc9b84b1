import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AUDIT_ACTIONS } from '../../src/audit-actions.ts'
import { ROUTES } from '../../src/routes.ts'

test('every action that the code writes into the audit log is known', () => {
  const files = globSync('server/src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  const written = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\baction: '([^']+)'/g)].map(([, action = '']) => action),
  )

  expect(written).not.toEqual([])
  expect(written.filter((action) => !AUDIT_ACTIONS.has(action))).toEqual([])
})

test('every known action is written by some code', () => {
  const code = globSync('server/src/**/*.ts')
    .filter((file) => !file.endsWith('audit-actions.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')

  expect([...AUDIT_ACTIONS].filter((action) => !code.includes(`'${action}'`))).toEqual([])
})

test('every administrative write has an audit action', () => {
  const administration = ROUTES.filter(({ writes, path }) => writes && /^\/(settings|jobs)\b/.test(path))

  expect(administration).not.toEqual([])
  expect(administration.filter(({ action }) => action === null)).toEqual([])
})
