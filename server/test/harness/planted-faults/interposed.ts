import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('./', import.meta.url))
const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url))

/** Wrappers of this folder, by the module of the server that each stands for. */
const WRAPPERS: ReadonlyMap<string, string> = new Map([
  ['platform/database/db.ts', 'db.ts'],
  ['platform/http/write.ts', 'write.ts'],
  ['platform/wire/etag.ts', 'etag.ts'],
  ['artifacts/update-artifact/load.ts', 'load.ts'],
  ['trackers/tracker-access.ts', 'tracker-access.ts'],
])

/** The wrapper to load instead of a module; undefined: the module itself. Only a wrapper gets the original. */
export function findWrapper(module: string, importer: string | undefined): string | undefined {
  if (!module.startsWith(SOURCES) || importer?.startsWith(FOLDER)) return undefined
  const wrapper = WRAPPERS.get(module.slice(SOURCES.length))
  return wrapper === undefined ? undefined : FOLDER + wrapper
}
