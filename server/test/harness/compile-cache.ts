import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Compile cache shared by all processes that tests start: halves their start time. Only in tests, because write access
 * to the folder means code execution.
 */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(tmpdir(), `waypost-compiled-${process.getuid?.() ?? 0}`) }
