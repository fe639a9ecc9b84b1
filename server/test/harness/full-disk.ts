import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pieceKey, StoreFull } from '../../src/files/store/blob-store.ts'
import { createDiskStore } from '../../src/files/store/disk-store.ts'

// Runs in its own mount namespace with a disk of 1 MiB, and prints how the file store behaves when it is full.

const folder = process.argv[2] ?? ''
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
const blobs = createDiskStore(folder)
const [large, small] = [pieceKey(randomUUID()), pieceKey(randomUUID())]

const isFull = await blobs.put(large, portions(40)).then(
  () => false,
  (error: unknown) => error instanceof StoreFull,
)
const left = [await blobs.sizeOf(large), readdirSync(join(folder, 'tmp'))]
const { size } = await blobs.put(small, portions(4))
process.stdout.write(JSON.stringify({ isFull, left, size }))

function portions(count: number): Readable {
  return Readable.from(Array.from({ length: count }, () => randomBytes(65_536)))
}
