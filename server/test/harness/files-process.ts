import { Readable } from 'node:stream'
import { createContext } from '../../src/context.ts'
import { appendPieces } from '../../src/files/append-pieces.ts'
import { cleanFiles } from '../../src/files/clean-files.ts'
import type { FileId } from '../../src/files/file.ts'
import { asOnlyWriter } from '../../src/files/lease.ts'
import { sealFile } from '../../src/files/seal-file.ts'
import { toId } from '../../src/platform/database/ids.ts'
import { readConfig } from '../../src/platform/operation/config.ts'
import { storedFile } from './temporary-files.ts'
import { closePools } from '../../src/platform/database/pools.ts'

// Runs one operation of the files module in a process that a failpoint may kill: `seal <id>`, `append <id>`, `clean
// <now>`.
const [deed, operand] = process.argv.slice(2)
const context = await createContext(readConfig(process.env))
try {
  if (deed === 'clean') await cleanFiles(context, new Date(Number(operand)))
  else {
    const file = await storedFile(context, toId<FileId>(Number(operand)))
    if (deed === 'seal') await sealFile(context, file)
    else
      await asOnlyWriter(context, file.id, (writer) =>
        appendPieces(context, file, Readable.from([Buffer.alloc(file.size, 'waypost')]), writer),
      )
  }
} finally {
  await closePools(context.pools)
}
