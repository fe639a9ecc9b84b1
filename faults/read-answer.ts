import type { PlannedWrite } from './generator.ts'
import type { HttpAnswer } from './http.ts'

interface Made {
  readonly artifacts: readonly number[]
  /** The ETag of the version, if the response has one. */
  readonly tag: string | null
  /** `Last-Modified`: each version has a distinct second. */
  readonly modified: number
}

interface Line {
  readonly id?: number
  readonly status?: number
  readonly error?: object
}

/** The state that a response reports. */
export function readMade({ kind, known }: Pick<PlannedWrite, 'kind' | 'known'>, answer: HttpAnswer): Made | undefined {
  if (kind === 'remove') return known && { artifacts: [known.id], tag: null, modified: 0 }
  if (kind === 'bulk')
    return { artifacts: linesOf(answer).flatMap(({ id }) => (id === undefined ? [] : [id])), tag: null, modified: 0 }
  const { id }: { id?: number } = answer.text === '' ? {} : JSON.parse(answer.text)
  const tag = /^(?:W\/)?"([^".]+)/.exec(answer.headers.etag ?? '')?.[1] ?? null
  const artifact = known?.id ?? id
  const modified = Date.parse(answer.headers['last-modified'] ?? '')
  return artifact === undefined ? undefined : { artifacts: [artifact], tag, modified }
}

/** An NDJSON response starts before the work is done: the first failed line decides the outcome. */
export function wholeAnswer(answer: HttpAnswer): HttpAnswer {
  if (answer.status !== 200 || !answer.headers['content-type']?.startsWith('application/x-ndjson')) return answer
  const failed = linesOf(answer).find(({ status = 200 }) => status >= 300)
  if (!failed) return answer
  const headers = { ...answer.headers, 'retry-after': '1' }
  return { status: failed.status ?? 500, headers, text: JSON.stringify({ error: failed.error }) }
}

function linesOf({ text }: HttpAnswer): Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
