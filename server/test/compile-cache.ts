import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * What every process of ours that a test starts keeps of reading the sources, for the next one: half of its start. Only in
 * tests, since whoever may write there decides what is run.
 */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(tmpdir(), `waypost-compiled-${process.getuid?.() ?? 0}`) }
