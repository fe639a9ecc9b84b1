import { mkdir, writeFile } from 'node:fs/promises'
import { describeIgnoredInput } from './ignored-input.ts'
import { describeConfig } from './platform/operation/describe-config.ts'
import { shippedApacheConfig } from './repositories/disk/apache-config.ts'
import { describeErrors } from './platform/messages/describe-errors.ts'
import { describeDefinition } from './trackers/definition/describe-definition.ts'

/** Writes generated files: some pages of the manual and an example configuration. `npm run docs`. */
const DOCS = new URL('../../docs/', import.meta.url)
await mkdir(DOCS, { recursive: true })
await writeFile(new URL('errors.md', DOCS), describeErrors())
await writeFile(new URL('configuration.md', DOCS), describeConfig())
await writeFile(new URL('trackers.md', DOCS), describeDefinition())
await writeFile(new URL('ignored-input.md', DOCS), describeIgnoredInput())
await writeFile(new URL('../deploy/apache/waypost-svn.conf', DOCS), shippedApacheConfig())
