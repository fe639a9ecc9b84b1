import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { type ArchivedPerson, writePeopleDocument } from './people-document.ts'

// By the clock on the wall, which is how a zip tells the time: so it is the same wherever it is made.
const ANY_TIME = new Date(2000, 0, 1)

/** The zip of an archive. What goes in alone decides about its bytes, so none of them need be kept. */
export async function zipArchive(document: string, people: readonly ArchivedPerson[]): Promise<Buffer> {
  const zip = new ZipFile()
  const options = { mtime: ANY_TIME, compress: false, forceDosTimestamp: true }
  zip.addBuffer(Buffer.from(document), 'artifact.xml', options)
  zip.addBuffer(Buffer.from(writePeopleDocument(people)), 'people.xml', options)
  zip.end()
  return buffer(zip.outputStream)
}

export function measureZip(bytes: Buffer): { size: number; sha256: string } {
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}
