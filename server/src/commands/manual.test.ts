import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { createTestDatabase } from '../../test/harness/database.ts'
import { splitCommandLine, callCommand, runCommand } from '../../test/harness/run-command.ts'
import { startMailPeer } from '../../test/peers/mail-peer.ts'
import { withAdministrator } from '../platform/database/local-postgres.ts'
import { VARIABLES } from '../platform/operation/config.ts'

// Runs the commands of README.md and the manual from top to bottom.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const host = inject('cluster')
const folder = await mkdtemp(join(tmpdir(), 'waypost-manual-'))
afterAll(() => rm(folder, { recursive: true }))
await chmod(folder, 0o711) // Subversion's tools may run as another user, who has to enter it.
const unmigrated = await createTestDatabase('empty')

const readme = await readFile('README.md', 'utf8')
const manual = await readFile('docs/operating.md', 'utf8')
const environment = {
  WAYPOST_ENVIRONMENT: 'test', // The test cluster is not durable.
  WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
  WAYPOST_PUBLIC_URL: 'https://waypost.example',
  WAYPOST_SMTP_URL: (await startMailPeer()).url,
  WAYPOST_FILES: join(folder, 'files'),
  WAYPOST_SVN_ROOT: join(folder, 'svn'),
}

test('the production commands in README.md work as written', async () => {
  const { ownerUrl: WAYPOST_MIGRATE_URL, appUrl: WAYPOST_DATABASE_URL } = unmigrated
  const lines = commandsIn(readme)

  expect(lines.length).toBeGreaterThan(1)
  await runAll(lines, { ...environment, WAYPOST_MIGRATE_URL, WAYPOST_DATABASE_URL })
})

test('the SQL of the manual creates roles and a database in which all its commands work', async () => {
  // Other names than in the manual, because this cluster has those roles already.
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
])('every command in $name is run here, belongs to npm, or is marked as an example', ({ page }) => {
  const blocks = blocksIn(page, 'sh').filter((block) => !block.startsWith('# an example, '))
  const others = blocks
    .flatMap((block) => block.split('\n'))
    .filter((line) => !/^(npx waypost |npm |export |curl |$)/.test(line))

  expect(others).toEqual([])
})

test.each([
  { name: 'README.md', page: readme },
  { name: 'docs/operating.md', page: manual },
])('$name names only existing variables', ({ page }) => {
  const named = [...page.matchAll(/\bWAYPOST_[A-Z_]*[A-Z]\b/g)].map(([variable]) => variable)

  expect(named).not.toEqual([])
  // A secret may be in a file.
  expect(named.filter((variable) => !(variable.replace(/_FILE$/, '') in VARIABLES))).toEqual([])
})

async function runAll(lines: readonly string[], variables: Record<string, string>): Promise<void> {
  for (const line of lines) {
    // A command that prompts runs as a process with its own standard input.
    const outcome = line.endsWith(' -')
      ? await runCommand(variables, splitCommandLine(line), { folder, input: 'the password of an administrator\n' })
      : await callCommand(variables, splitCommandLine(line), { folder })
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
