/** A filter that filters nothing returns too much: whoever asks with it is told. */
export function ignoredHeader({ ignored }: { readonly ignored: readonly string[] }): Record<string, string> {
  return ignored.length === 0 ? {} : { 'x-criteria-ignored': ignored.join(',') }
}
