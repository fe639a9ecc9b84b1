import { MIN_RATIOS, MAX_QUERY_P95_MS, TIMED_QUERIES } from '../judge.ts'
import type { Chart } from './bars.ts'

/** The figures of `figures.json` that have charts. */
export interface ChartedFigures {
  readonly artifacts: { readonly size: number; readonly operations: readonly Operation[] }
  readonly queries: { readonly size: number; readonly questions: readonly Question[] }
}

interface Operation {
  readonly operation: string
  readonly role: string
  readonly per_second: number
  readonly main_ratio: number | null
}

interface Question {
  readonly question: string
  readonly name: string
  readonly p95_ms: number
  readonly main_ratio: number | null
}

/** The charts by file name. */
export function chartsOf({ artifacts, queries }: ChartedFigures): Readonly<Record<string, Chart>> {
  const members = artifacts.operations.filter(({ role }) => role === 'member')
  const ratios = [
    ...members.map(({ operation, main_ratio }) => ({ label: operation, name: operation, main_ratio })),
    ...queries.questions.map(({ question, name, main_ratio }) => ({ label: question, name, main_ratio })),
  ]
  return {
    'engine-ratio': {
      title: `Requests as a share of what PostgreSQL alone does, ${thousands(artifacts.size)} artifacts`,
      unit: '',
      bars: ratios.flatMap(({ label, name, main_ratio }) => {
        const at = MIN_RATIOS[name]
        return main_ratio === null || at === undefined
          ? []
          : [{ label, value: main_ratio, goal: { at, isMost: false } }]
      }),
    },
    requests: {
      title: `Requests a second, one process, ${thousands(artifacts.size)} artifacts`,
      unit: '/s',
      bars: members.map(({ operation, per_second }) => ({ label: operation, value: per_second })),
    },
    queries: {
      title: `95 of 100 queries take less, ${thousands(queries.size)} artifacts`,
      unit: 'ms',
      bars: queries.questions.map(({ question, name, p95_ms }) => ({
        label: question,
        value: p95_ms,
        ...(TIMED_QUERIES.includes(name) && { goal: { at: MAX_QUERY_P95_MS, isMost: true } }),
      })),
    },
  }
}

function thousands(count: number): string {
  return count.toLocaleString('en')
}
