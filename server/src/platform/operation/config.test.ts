import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { callCommand } from '../../../test/harness/run-command.ts'
import { readConfig, VARIABLES } from './config.ts'

const folder = await mkdtemp(join(tmpdir(), 'waypost-config-'))
afterAll(() => rm(folder, { recursive: true }))
const KEY = 'a-secret-key-of-the-tests-that-is-long-enough'
const needed = { WAYPOST_DATABASE_URL: 'postgresql:///waypost', WAYPOST_SECRET_KEYS: KEY }
const SECRETS = Object.entries(VARIABLES).flatMap(([name, variable]) => ('secret' in variable ? [name] : []))

test.each(SECRETS)('%s can be in a file', async (name) => {
  const file = join(folder, name)
  const value = name === 'WAYPOST_SECRET_KEYS' ? [KEY, KEY.toUpperCase()] : `${KEY}-in-a-file`
  await writeFile(file, `${String(value)}\n`)
  const others = Object.fromEntries(Object.entries(needed).filter(([each]) => each !== name))
  expect(readConfig({ ...others, [`${name}_FILE`]: file })).toMatchObject({ [name]: value })
})

test('a secret that is given twice, or whose file is missing, is refused', () => {
  const missing = join(folder, 'missing')
  expect(() => readConfig({ ...needed, WAYPOST_SECRET_KEYS_FILE: missing })).toThrow('are both set')
  expect(() => readConfig({ WAYPOST_DATABASE_URL: 'x', WAYPOST_SECRET_KEYS_FILE: missing })).toThrow(
    /WAYPOST_SECRET_KEYS cannot be read from its file: .*ENOENT/,
  )
  expect(readConfig({ ...needed, WAYPOST_SECRET_KEYS_FILE: '' }).WAYPOST_SECRET_KEYS).toEqual([KEY])
})

test('only secrets can be in files', () => {
  expect(() => readConfig({ ...needed, WAYPOST_PORT_FILE: '/dev/null' })).toThrow('WAYPOST_PORT_FILE is not known')
})

test('`waypost config` names the file of a secret, and not its content', async () => {
  const file = join(folder, 'keys')
  await writeFile(file, KEY)
  const { out } = await callCommand({ WAYPOST_SECRET_KEYS_FILE: file }, ['config'])
  expect(out).toMatch(new RegExp(`^WAYPOST_SECRET_KEYS +\\(in ${file}\\) `, 'm'))
  expect(out).not.toContain(KEY)
})
