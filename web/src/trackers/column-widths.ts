/** Widths that people have given to columns, by the name of the field, in pixels. */
export type ColumnWidths = ReadonlyMap<string, number>

const MIN_WIDTH_PX = 40
const MAX_WIDTH_PX = 2_000

/** As in the address: `status:120,due:90`. */
export function parseWidths(written: string | undefined): ColumnWidths {
  const widths = new Map<string, number>()
  for (const part of (written ?? '').split(',')) {
    const at = part.lastIndexOf(':')
    const width = Number(part.slice(at + 1))
    if (at > 0 && Number.isFinite(width) && width > 0) widths.set(part.slice(0, at), limitWidth(width))
  }
  return widths
}

export function writeWidths(widths: ColumnWidths): string | undefined {
  return widths.size === 0 ? undefined : [...widths].map(([name, width]) => `${name}:${width}`).join()
}

export function limitWidth(width: number): number {
  return Math.round(Math.max(MIN_WIDTH_PX, Math.min(MAX_WIDTH_PX, width)))
}
