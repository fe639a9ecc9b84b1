import { SaxesParser } from 'saxes'
import type { Browsed } from './session.ts'
import { svnUrl, runSvn } from './svn-client.ts'

export interface Blamed {
  readonly revision: number | null
  readonly author: string | null
  readonly date: Date | null
}

const MAX_OUTPUT_BYTES = 256 * 2 ** 20

/** The author of each line of a file. The caller must have ruled out binary files. */
export async function readBlame(browsed: Browsed, path: string, revision: number): Promise<Blamed[]> {
  const args = ['blame', '--xml', '--force', '-r', `0:${revision}`, svnUrl(browsed, path, revision)]
  const { stdout } = await runSvn(browsed, args, MAX_OUTPUT_BYTES)
  const blamed: Blamed[] = []
  const parser = new SaxesParser()
  let line: { revision: number | null; author: string | null; date: Date | null } | undefined
  let text = ''
  parser.on('opentag', ({ name, attributes }) => {
    text = ''
    if (name === 'entry') line = { revision: null, author: null, date: null }
    if (name === 'commit' && line) line.revision = Number(attributes['revision'])
  })
  parser.on('text', (more) => {
    text += more
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'author' && line) line.author = text
    if (name === 'date' && line) line.date = new Date(text)
    if (name === 'entry' && line) blamed.push(line)
  })
  parser.write(stdout.toString()).close()
  return blamed
}
