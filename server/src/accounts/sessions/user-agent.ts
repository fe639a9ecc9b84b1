// First match wins: many browsers also name their ancestors.
const BROWSERS: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Short label of a session, such as `Firefox on Linux`. Null if the client does not say. */
export function describeUserAgent(userAgent: string | undefined): string | null {
  const given = userAgent ?? ''
  const named = (list: typeof BROWSERS) => list.find(([sign]) => sign.test(given))?.[1]
  const program = named(BROWSERS) ?? /^[\w.-]{1,40}/.exec(given)?.[0]
  const system = named(SYSTEMS)
  if (program === undefined) return null
  return system === undefined ? program : `${program} on ${system}`
}
