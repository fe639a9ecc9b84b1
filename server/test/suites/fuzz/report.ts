import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Breach } from './fuzz.ts'
import type { Planned } from './plan-requests.ts'

const MAX_SHOWN_CHARACTERS = 1500
const MAX_REPORTED_BREACHES = 20

/** Breaches of a run; repetitions are counted, not reported again. */
interface Reports {
  add(breach: Breach): void
  /** Writes each to its own file, and returns the paths. */
  publish(complaints: readonly string[]): Promise<string[]>
  readonly count: number
  /** Whether the report has enough breaches. */
  isFull(): boolean
  /** Stops the report without output. */
  close(): void
}

export function createReports(): Reports {
  const kinds = new Map<string, { first: Breach; count: number }>()
  let isClosed = false
  return {
    isFull: () => kinds.size >= MAX_REPORTED_BREACHES,
    close() {
      isClosed = true
      kinds.clear()
    },
    add(breach) {
      const kind = kindOf(breach)
      const seen = kinds.get(kind)
      if (seen) seen.count++
      else if (!isClosed && kinds.size < MAX_REPORTED_BREACHES) kinds.set(kind, { first: breach, count: 1 })
    },
    async publish(complaints) {
      const published = []
      for (const { first, count } of kinds.values()) published.push(await publishOne(first, count, complaints))
      return published
    },
    get count() {
      return kinds.size
    },
  }
}

function kindOf({ faults, planned, answer }: Breach): string {
  const operation = planned && planned.kind !== 'raw' ? (planned.meant?.id ?? planned.request.path) : 'raw'
  const status = typeof answer === 'object' ? answer.status : 0
  return `${operation} ${status} ${faults.map((fault) => fault.replaceAll(/\d+/g, 'N').slice(0, 80)).join()}`
}

async function publishOne(breach: Breach, count: number, complaints: readonly string[]): Promise<string> {
  const { seed, index, faults, planned, answer } = breach
  const file = join(tmpdir(), `waypost-fuzz-${seed}-${index}.json`)
  await writeFile(
    file,
    JSON.stringify({ seed, index, faults, request: shownRequest(planned), answer, complaints }, null, 2),
  )
  return [
    `\n✗ ${seed}:${index}${count > 1 ? ` (and ${count - 1} more like it)` : ''}`,
    ...faults.map((fault) => `  ${fault}`),
    `  asked:    ${cut(JSON.stringify(shownRequest(planned)))}`,
    `  answered: ${cut(shownAnswer(answer))}`,
    `  all of it: ${file}`,
    `  again:     node server/test/suites/fuzz/run.ts --replay ${seed}:${index}`,
  ].join('\n')
}

export function shownRequest(planned: Planned | undefined): unknown {
  if (!planned) return undefined
  if (planned.kind === 'raw') return planned.bytes
  const { request, reader, meant } = planned
  return { operation: meant?.id, reader: reader?.login, ...request, body: request.body?.toString() }
}

function shownAnswer(answer: Breach['answer']): string {
  if (typeof answer !== 'object') return answer ?? 'nothing'
  return `${answer.status} ${String(answer.headers['content-type'])} ${answer.text}`
}

function cut(text: string | undefined): string {
  return text !== undefined && text.length > MAX_SHOWN_CHARACTERS
    ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…`
    : String(text)
}
