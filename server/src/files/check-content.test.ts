import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { storedFile, uploadsBy } from '../../test/harness/temporary-files.ts'
import { checkContent } from './check-content.ts'
import { sealFile } from './seal-file.ts'
import { pieceKey } from './store/blob-store.ts'

const { api, context } = await startWorld()
const folder = await mkdtemp(join(tmpdir(), 'waypost-check-'))
afterAll(() => rm(folder, { recursive: true }))

const judging = (...words: string[]) => ({ ...context, config: { ...context.config, WAYPOST_FILES_CHECK: words } })

async function check(content: string | Buffer, words: string[], timeLimit?: number) {
  const key = pieceKey(randomUUID())
  await context.blobs.put(key, Readable.from([Buffer.from(content)]))
  return checkContent(judging(...words), key, timeLimit)
}

describe('the content check command', () => {
  test('gets the bytes, and no secrets', async () => {
    const seen = join(folder, 'seen')
    await check('Hello', ['tee', seen])
    expect(await readFile(seen, 'utf8')).toBe('Hello')
    process.env['WAYPOST_TEST_SECRET'] = 'secret'
    await expect(check('', ['grep', '-q', 'WAYPOST_', '/proc/self/environ'])).rejects.toMatchObject({
      reason: 'rule_violated',
    })
    delete process.env['WAYPOST_TEST_SECRET']
  })

  test('accepts by 0 and refuses by 1', async () => {
    await check('EICAR', ['grep', '-q', 'EICAR'])
    await expect(check('harmless', ['grep', '-q', 'EICAR'])).rejects.toMatchObject({
      reason: 'rule_violated',
      status: 400,
      details: { cause: 'file_refused' },
    })
  })

  test.each([
    ['ends otherwise', ['grep', '-q', 'x', '/no/such/file']],
    ['is not there', ['/no/such/command']],
  ])('that %s gives no verdict', async (_, words) => {
    await expect(check('Hello', words)).rejects.toMatchObject({ reason: 'unavailable', status: 503 })
  })

  test('is killed at the timeout, without a verdict', async () => {
    await expect(check('Hello', ['sleep', '30'], 100)).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test('may exit before it has read everything', async () => {
    await expect(check(Buffer.alloc(8 * 2 ** 20), ['true'])).resolves.toBeUndefined()
  })

  test('is not run by a shell', async () => {
    await expect(check('Hello', ['true;', 'true'])).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test('runs before a file is sealed', async () => {
    const { json } = await uploadsBy(api).create('harmless')
    const file = await storedFile(context, json.id)
    await expect(sealFile(judging('grep', '-q', 'EICAR'), file)).rejects.toMatchObject({
      details: { cause: 'file_refused' },
    })
    expect(await storedFile(context, json.id)).toMatchObject({ digest: null })
    expect(await sealFile(judging('true'), file)).toMatchObject({ size: 8 })
  })
})
