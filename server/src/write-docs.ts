import { mkdir, writeFile } from 'node:fs/promises'
import { describeConfig } from './platform/operation/describe-config.ts'
import { shippedApacheConfig } from './repositories/disk/apache-config.ts'
import { describeErrors } from './platform/words/describe-errors.ts'

/** Writes what is made from the code: some pages of the manual, an example of a configuration: `npm run docs`. */
const DOCS = new URL('../../docs/', import.meta.url)
await mkdir(DOCS, { recursive: true })
await writeFile(new URL('errors.md', DOCS), describeErrors())
await writeFile(new URL('configuration.md', DOCS), describeConfig())
await writeFile(new URL('../deploy/apache/waypost-svn.conf', DOCS), shippedApacheConfig())
