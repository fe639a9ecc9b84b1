import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/operation/config.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { makePlaces, placesOf, writeOwnFile } from '../disk/places.ts'
import { runTool, ToolError } from '../disk/run-tool.ts'
import type { AccessRules } from '../repository.ts'
import { type AccessGround, composeAccessFile } from './access-file.ts'

/** Asks Subversion itself what it thinks of the whole file, and says which line of the people's part is wrong. */
export async function checkAccessFile(config: Config, ground: AccessGround, rules: AccessRules): Promise<void> {
  const { text, sourceOf } = composeAccessFile('check', ground, rules)
  const places = placesOf(config)
  await makePlaces(places)
  const file = join(places.making, `${randomUUID()}.authz`)
  try {
    await writeOwnFile(file, text)
    await runTool('svnauthz', ['validate', file])
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const line = sourceOf(lineIn(error.said, text) ?? 0)
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

/** It names a line where it cannot read one, else the words that it does not like: the last line that has them. */
function lineIn(said: string, text: string): number | undefined {
  const lines = text.split('\n')
  const [, number, what] = /line (\d+): (\w+)/.exec(said) ?? []
  if (number !== undefined) return lineCounted(lines, Number(number), what === 'Section')
  const [, complaint = ''] = /^svnauthz: E\d+: (?!Error while parsing)(.*)$/m.exec(said) ?? []
  const words = [...complaint.matchAll(/(?<=\s)'([^']+)'|(\[[^\]]+\])/g)].map(
    ([, quoted, section]) => quoted ?? section ?? '',
  )
  // A group that is defined twice is named as where it is used.
  const isGroup = complaint.includes('definition of group')
  const has = (word: string) => (line: string) =>
    isGroup ? line.startsWith(word.replace(/^@/, '')) : line.includes(word)
  const fitting = words.map((word) => lines.findLastIndex(has(word))).filter((at) => at !== -1)
  return fitting.length > 0 ? Math.max(...fitting) + 1 : undefined
}

/** Subversion counts all lines but the heads of sections. */
function lineCounted(lines: readonly string[], number: number, isHead: boolean): number | undefined {
  let heads = 0
  for (const [at, line] of lines.entries()) {
    if (at + 1 - heads === number && line.startsWith('[') === isHead) return at + 1
    if (line.startsWith('[')) heads++
  }
  return undefined
}
