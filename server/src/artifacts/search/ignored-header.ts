/** A criterion without effect returns too many rows, so it is reported to the caller. */
export function ignoredHeader({ ignored }: { readonly ignored: readonly string[] }): Record<string, string> {
  return ignored.length === 0 ? {} : { 'x-criteria-ignored': ignored.join(',') }
}
