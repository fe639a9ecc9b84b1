import { relative } from 'node:path'
import { mergeConfig } from 'vitest/config'
import { mutate } from './server/test/suites/mutants/mutate.ts'
import base from './vitest.config.ts'

const root = new URL('.', import.meta.url).pathname
const selected = new Set<string>(JSON.parse(process.env['MUTANTS_SELECTED'] ?? '[]'))
const files = new Set([...selected].map((id) => id.split('#', 1)[0]))

/** Plants the faults in memory, before the types are removed: the files on disk stay as they are. */
export default mergeConfig(base, {
  root,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      transform(code: string, path: string) {
        const file = relative(root, path.split('?', 1)[0] ?? '')
        return files.has(file) ? { code: mutate(code, file, (id) => selected.has(id)).code, map: null } : undefined
      },
    },
  ],
  test: {
    runner: './server/test/suites/mutants/runner.ts',
    setupFiles: ['./server/test/suites/mutants/switch-on.ts'],
    // One process: it keeps the list of faults that are dead already.
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 15_000,
    reporters: ['dot'],
  },
})
