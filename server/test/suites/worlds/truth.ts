import type { TestPerson } from '../../fixtures/people.ts'
import { type Canary, textsIn, type World } from './canaries.ts'
import type { WorldEnvironment } from './fixture.ts'

/** An account, or undefined: an anonymous caller. */
export type Reader = TestPerson | undefined

/** The values that each reader can GET while permissions stay as they are. Every answer is read once. */
export interface Truth {
  isReadable(reader: Reader, canary: Canary): Promise<boolean>
  /** Texts of the world's artifacts that only the list shows: the list must not be a weaker judge than each by itself. */
  findOnlyListed(reader: Reader, world: World): Promise<string[]>
}

/** `worlds`: of this batch, whose artifacts are read together. Those of earlier batches are read one by one. */
export function readTruth({ api }: WorldEnvironment, worlds: readonly World[]): Truth {
  const answers = new Map<string, Promise<ReadonlySet<string>>>()
  const read = async (path: string, reader: Reader): Promise<ReadonlySet<string>> => {
    const { status, text } = await api.get(path, reader && { as: reader })
    if (status >= 500 || status === 429) throw new Error(`GET ${path}: ${status} ${text}`)
    return textsIn(status === 200 ? text : '')
  }
  const readOnce = (path: string, reader: Reader) => {
    const key = `${reader?.login} ${path}`
    const answer = answers.get(key) ?? read(path, reader)
    answers.set(key, answer)
    return answer
  }
  return {
    async isReadable(reader, canary) {
      for (const path of pathsTo(canary, worlds)) if ((await readOnce(path, reader)).has(canary.text)) return true
      return false
    },
    async findOnlyListed(reader, { main, foreign, child, referrer }) {
      const ids = [main, foreign, child, referrer]
      const single = await Promise.all(ids.map((id) => readOnce(artifactPath(id), reader)))
      const listed = await readOnce(listPath(ids), reader)
      return [...listed].filter((text) => !single.some((texts) => texts.has(text)))
    },
  }
}

const artifactPath = (id: number) => `/artifacts/${id}?values_format=all`
const listPath = (ids: readonly number[]) => `/artifacts?query=${encodeURIComponent(JSON.stringify({ id: ids }))}`

/** All that can be read about the world, with the most likely address first. */
function pathsTo({ world, home }: Canary, worlds: readonly World[]): string[] {
  const { main, foreign, child, referrer, block } = world
  const together = worlds.includes(world)
    ? [listPath(worlds.flatMap((each) => [each.main, each.foreign, each.child, each.referrer]))]
    : []
  const history = `/artifacts/${main}/changesets?limit=50`
  const places = [
    ...[block.left, block.right].map((tracker) => `/trackers/${tracker}`),
    ...[block.site.right, block.site.left].map(({ project }) => `/projects/${project}`),
    `/trackers/${block.left}/definition`,
  ]
  const artifacts = [main, foreign, child, referrer].map(artifactPath)
  if (home === 'place') return [...places, ...artifacts, history]
  if (home === 'history') return [history, ...together, ...artifacts, ...places]
  return [...together, ...artifacts, history, ...places]
}
