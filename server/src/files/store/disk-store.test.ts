import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { contentKey, NoSuchBlob, pieceKey } from './blob-store.ts'
import { createDiskStore } from './disk-store.ts'

const base = await mkdtemp(join(tmpdir(), 'waypost-disk-'))
afterAll(() => rm(base, { recursive: true }))

test('files and folders are accessible to the process owner only', async () => {
  const { folder, blobs } = newStore()
  const piece = pieceKey(randomUUID())
  await blobs.put(piece, Readable.from([Buffer.from('x')]))
  const content = contentKey('ab'.repeat(32))
  await blobs.put(content, Readable.from([Buffer.from('x')]))

  for (const path of [piece, content]) expect((await stat(join(folder, path))).mode & 0o777).toBe(0o600)
  for (const path of ['.', 'tmp', 'pieces', 'content', 'content/ab'])
    expect((await stat(join(folder, path))).mode & 0o777).toBe(0o700)
})

test('a folder is created with its first write', async () => {
  const { folder, blobs } = newStore()
  for await (const blob of blobs.list('content')) throw new Error(blob.key)
  await blobs.sweep(new Date())
  await expect(blobs.get(pieceKey(randomUUID()))).rejects.toBeInstanceOf(NoSuchBlob)

  await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('deleted folders are created again', async () => {
  const { folder, blobs } = newStore()
  const key = pieceKey(randomUUID())
  await blobs.put(key, Readable.from([Buffer.from('x')]))
  await rm(folder, { recursive: true })

  await blobs.put(key, Readable.from([Buffer.from('again')]))
  expect(await blobs.sizeOf(key)).toBe(5)
})

test('an input that fails leaves no temporary file', async () => {
  const { folder, blobs } = newStore()
  const failing = Readable.from(
    (async function* () {
      yield Buffer.alloc(100_000)
      throw new Error('the line is cut')
    })(),
  )

  await expect(blobs.put(pieceKey(randomUUID()), failing)).rejects.toThrow('the line is cut')
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})

test('an unwritable folder ends the input and leaves no temporary file', async () => {
  const { folder, blobs } = newStore()
  await mkdir(folder)
  await writeFile(join(folder, 'pieces'), 'a file where a folder should be')
  const input = Readable.from([Buffer.from('x')])

  await expect(blobs.put(pieceKey(randomUUID()), input)).rejects.toThrow('EEXIST')
  expect(input.destroyed).toBe(true)
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})

test('a sweep deletes only old partial writes', async () => {
  const { folder, blobs } = newStore()
  await blobs.put(pieceKey(randomUUID()), Readable.from([Buffer.from('x')]))
  const [old, young] = [randomUUID(), randomUUID()]
  for (const name of [old, young]) await writeFile(join(folder, 'tmp', name), 'half')
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  await utimes(join(folder, 'tmp', old), yesterday, yesterday)

  await blobs.sweep(new Date(Date.now() - 24 * 3_600_000))
  expect(await readdir(join(folder, 'tmp'))).toEqual([young])
  expect(await readdir(join(folder, 'pieces'))).toHaveLength(1)
})

test('foreign files in the folder are not listed', async () => {
  const { folder, blobs } = newStore()
  const key = contentKey('cd'.repeat(32))
  await blobs.put(key, Readable.from([Buffer.from('x')]))
  await writeFile(join(folder, 'content', '.stray'), '')
  await mkdir(join(folder, 'content', 'lost+found'))
  await writeFile(join(folder, 'content', 'ef'), '')
  await writeFile(join(folder, 'content', 'cd', 'cd'), '')

  const keys: string[] = []
  for await (const blob of blobs.list('content')) keys.push(blob.key)
  expect(keys).toEqual([key])
})

const unshare = ['--mount', '--map-root-user']
const mayMount = spawnSync('unshare', [...unshare, 'mount', '-t', 'tmpfs', 'tmpfs', base]).status === 0
const whySkipped = mayMount ? '' : ' (skipped: nothing can be mounted here)'
test.skipIf(!mayMount)(`a full disk stores nothing, reports it, and accepts what fits${whySkipped}`, async () => {
  const folder = join(base, 'full')
  await mkdir(folder)
  await chmod(folder, 0o700)
  const { stdout, stderr } = spawnSync(
    'unshare',
    [...unshare, process.execPath, 'server/test/harness/full-disk.ts', folder],
    {
      encoding: 'utf8',
    },
  )

  expect({ stdout, stderr }).toMatchObject({ stdout: expect.stringMatching(/^\{/) })
  expect(JSON.parse(stdout)).toEqual({ isFull: true, left: [null, []], size: 4 * 65_536 })
})

function newStore() {
  const folder = join(base, randomUUID())
  return { folder, blobs: createDiskStore(folder) }
}
