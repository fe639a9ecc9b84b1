import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/operation/config.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { createSvnFolders, getSvnFolders, writeOwnFile } from '../disk/svn-folders.ts'
import { runTool, ToolError } from '../disk/run-tool.ts'
import type { AccessRules } from '../repository.ts'
import { type AccessInputs, composeAccessFile } from './access-file.ts'

/** Validates the composed file with `svnauthz` and maps the error to a line of the user-written part. */
export async function checkAccessFile(config: Config, inputs: AccessInputs, rules: AccessRules): Promise<void> {
  const { text, sourceOf } = composeAccessFile('check', inputs, rules)
  const places = getSvnFolders(config)
  await createSvnFolders(places)
  const file = join(places.making, `${randomUUID()}.authz`)
  try {
    await writeOwnFile(file, text)
    await runTool('svnauthz', ['validate', file])
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const line = sourceOf(findFaultyLine(error.stderr, text) ?? 0)
    throw new ApiError('parameter_invalid', {
      path: 'settings.access_file',
      rule: 'format',
      cause: 'access_file',
      ...(line !== undefined && { line }),
    })
  } finally {
    await rm(file, { force: true })
  }
}

/** The error names a line number, or else quotes words: then the last line that contains them. */
function findFaultyLine(said: string, text: string): number | undefined {
  const lines = text.split('\n')
  const [, number, what] = /line (\d+): (\w+)/.exec(said) ?? []
  if (number !== undefined) return toFileLine(lines, Number(number), what === 'Section')
  const [, complaint = ''] = /^svnauthz: E\d+: (?!Error while parsing)(.*)$/m.exec(said) ?? []
  const words = [...complaint.matchAll(/(?<=\s)'([^']+)'|(\[[^\]]+\])/g)].map(
    ([, quoted, section]) => quoted ?? section ?? '',
  )
  // The error names the second definition of a group by its name without the `@`.
  const isGroup = complaint.includes('definition of group')
  const has = (word: string) => (line: string) =>
    isGroup ? line.startsWith(word.replace(/^@/, '')) : line.includes(word)
  const fitting = words.map((word) => lines.findLastIndex(has(word))).filter((at) => at !== -1)
  return fitting.length > 0 ? Math.max(...fitting) + 1 : undefined
}

/** Subversion does not count section headers as lines. */
function toFileLine(lines: readonly string[], number: number, isHead: boolean): number | undefined {
  let heads = 0
  for (const [at, line] of lines.entries()) {
    if (at + 1 - heads === number && line.startsWith('[') === isHead) return at + 1
    if (line.startsWith('[')) heads++
  }
  return undefined
}
