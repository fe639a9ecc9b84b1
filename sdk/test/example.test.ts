import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startWorld } from '../../server/test/harness/start-world.ts'
import { TOM } from '../../server/test/fixtures/people.ts'

const { api } = await startWorld()
const run = (key: string) =>
  promisify(execFile)(process.execPath, ['sdk/examples/report.ts'], {
    env: { ...process.env, WAYPOST: api.origin, KEY: key },
  })

test('the example counts the artifacts that its caller may see', async () => {
  const { stdout } = await run(TOM.key)

  expect(stdout).toContain('Orchard\n  Bugs: 0\n')
  expect(stdout).not.toContain('Ledger')
})

test('the example prints the reason of a refusal', async () => {
  await expect(run('nonsense')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^credentials_malformed: \w/),
  })
})
