import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testConfig } from '../../../test/harness/start-world.ts'
import { mountSmallDisk } from '../../../test/peers/small-disk.ts'
import { disk } from './check-space.ts'

const folder = await mkdtemp(join(tmpdir(), 'waypost-space-'))
const small = mountSmallDisk(folder, 8)
afterAll(async () => {
  small?.unmount()
  await rm(folder, { recursive: true })
})

const check = (files: string) =>
  disk({ config: testConfig({ WAYPOST_DATABASE_URL: 'postgresql:///none', WAYPOST_FILES: files }) })

test('the doctor names each disk, also of a folder that does not exist yet', async () => {
  const absent = join(tmpdir(), 'waypost-absent', 'files')
  expect(await check(absent)).toEqual({
    what: 'disk',
    state: expect.any(String),
    detail: expect.stringMatching(new RegExp(`${absent}: [\\d.]+ GiB free \\(\\d+ %\\)`)),
  })
})

test.skipIf(small === undefined)('the doctor fails if a disk is nearly full', async () => {
  expect(await check(folder)).toMatchObject({
    state: 'wrong',
    detail: expect.stringContaining(`${folder}: 0.0 GiB free`),
  })
})
