import { existsSync, readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'

const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
/** Only a release has it: `npm run release` writes it. */
const RELEASE = new URL('../../../release.json', import.meta.url)

export const PRODUCT = 'Waypost'
export const VERSION = Parse(Type.Object({ version: Type.String() }), manifest).version
/** The commit that the release was built from; null for a server that runs from its sources. */
export const COMMIT = existsSync(RELEASE) ? readCommit(readFileSync(RELEASE, 'utf8')) : null

function readCommit(text: string): string {
  return Parse(Type.Object({ commit: Type.String() }), JSON.parse(text)).commit
}
