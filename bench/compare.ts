import { table } from '../server/src/commands/print.ts'

/** One operation in the stored and in the current run; higher is better. */
export interface Measured {
  readonly operation: string
  readonly per_second: number
  readonly main_ratio: number | null
}

/**
 * Compares current with stored figures. Requests per second depend on the machine: only the ratio to the engine,
 * measured in the same run, shows whether the server has become slower.
 */
export function compareWithKept(kept: readonly Measured[], now: readonly Measured[]): string {
  const before = new Map(kept.map((each) => [each.operation, each]))
  return table([
    ['against the kept figures', 'requests/s then', 'now', 'main ratio then', 'now', 'change'],
    ...now.map(({ operation, per_second, main_ratio }) => {
      const then = before.get(operation)
      return [
        operation,
        text(then?.per_second),
        text(per_second),
        text(then?.main_ratio),
        text(main_ratio),
        change(then?.main_ratio, main_ratio),
      ]
    }),
  ])
}

function change(then: number | null | undefined, now: number | null): string {
  if (!then || now === null) return '-'
  const percent = Math.round((now / then - 1) * 100)
  return `${percent > 0 ? '+' : ''}${percent} %`
}

function text(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : String(value)
}
