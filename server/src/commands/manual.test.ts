import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { argumentsOf, callCommand, runCommand } from '../../test/run-command.ts'
import { withAdministrator } from '../platform/database/local-postgres.ts'
import { VARIABLES } from '../platform/operation/config.ts'

// What README.md and the manual tell people to type is typed here, from top to bottom, and has to work.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const host = inject('cluster')
const folder = await mkdtemp(join(tmpdir(), 'waypost-manual-'))
afterAll(() => rm(folder, { recursive: true }))
const unmigrated = await createTestDatabase('empty')

const readme = await readFile('README.md', 'utf8')
const manual = await readFile('docs/operating.md', 'utf8')
const environment = {
  WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
  WAYPOST_PUBLIC_URL: 'https://waypost.example',
  WAYPOST_SMTP_URL: 'smtp://localhost:2525',
  WAYPOST_FILES: join(folder, 'files'),
}

test('the commands for production in README.md work as they are written', async () => {
  const { ownerUrl: WAYPOST_MIGRATE_URL, appUrl: WAYPOST_DATABASE_URL } = unmigrated
  const lines = commandsIn(readme)

  expect(lines.length).toBeGreaterThan(1)
  await runAll(lines, { ...environment, WAYPOST_MIGRATE_URL, WAYPOST_DATABASE_URL })
})

test('the SQL of the manual makes roles and a database in which all its commands work', async () => {
  // Other names than those of the manual: this cluster has these roles already.
  const statements = blocksIn(manual, 'sql').join('\n').replaceAll('waypost', 'manual').split(';\n').filter(Boolean)
  const administer = (database: string, ...texts: string[]) =>
    withAdministrator({ host, database }, async (administrator) => {
      for (const text of texts) await administrator.query(text)
    })
  await administer('postgres', ...statements)
  try {
    const url = (role: string) => `postgresql://${role}@/manual?host=${encodeURIComponent(host)}`
    const urls = { WAYPOST_DATABASE_URL: url('manual_app'), WAYPOST_MIGRATE_URL: url('manual_owner') }
    const lines = commandsIn(manual)
    expect(lines.length).toBeGreaterThan(20)
    await runAll(lines, { ...environment, ...urls })
  } finally {
    await administer('postgres', 'drop database manual with (force)', 'drop role manual_owner', 'drop role manual_app')
  }
})

test.each([
  { name: 'README.md', page: readme },
  { name: 'docs/operating.md', page: manual },
])('$name shows no command that is neither run here, nor of npm, nor marked as an example', ({ page }) => {
  const blocks = blocksIn(page, 'sh').filter((block) => !block.startsWith('# an example, '))
  const others = blocks
    .flatMap((block) => block.split('\n'))
    .filter((line) => !/^(npx waypost |npm |export |curl |$)/.test(line))

  expect(others).toEqual([])
})

test.each([
  { name: 'README.md', page: readme },
  { name: 'docs/operating.md', page: manual },
])('$name names no variable that there is not', ({ page }) => {
  const named = [...page.matchAll(/\bWAYPOST_[A-Z_]*[A-Z]\b/g)].map(([variable]) => variable)

  expect(named).not.toEqual([])
  expect(named.filter((variable) => !(variable in VARIABLES))).toEqual([])
})

async function runAll(lines: readonly string[], variables: Record<string, string>): Promise<void> {
  for (const line of lines) {
    // One that asks for something is a process, whose standard input is its own.
    const outcome = line.endsWith(' -')
      ? await runCommand(variables, argumentsOf(line), { folder, input: 'the password of an administrator\n' })
      : await callCommand(variables, argumentsOf(line), { folder })
    expect({ line, ...outcome }).toMatchObject({ line, code: 0, err: '' })
  }
}

function commandsIn(page: string): string[] {
  return blocksIn(page, 'sh').flatMap((block) => block.split('\n').filter((line) => line.startsWith('npx waypost')))
}

function blocksIn(page: string, language: string): string[] {
  return [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , block = '']) => block)
}
