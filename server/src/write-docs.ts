import { mkdir, writeFile } from 'node:fs/promises'
import { describeConfig } from './platform/operation/describe-config.ts'
import { describeErrors } from './platform/words/describe-errors.ts'

/** Writes those pages of the manual that are made from the code: `npm run docs`. */
const DOCS = new URL('../../docs/', import.meta.url)
await mkdir(DOCS, { recursive: true })
await writeFile(new URL('errors.md', DOCS), describeErrors())
await writeFile(new URL('configuration.md', DOCS), describeConfig())
