/**
 * The oldest release of each line of Node that has the fixes of the newest security release known to us: that of
 * 18 June 2026 (22.23.0, 24.17.0, 26.3.1). Written on 17 November 2026 from stored copies of public pages; newer security
 * releases may exist, so compare with https://nodejs.org/en/blog/vulnerability before each release (docs/releasing.md).
 * A line between these, such as 25, gets no more fixes. A newer line than all of these is not known here, and not judged.
 */
const OLDEST_SAFE: readonly string[] = ['24.17.0', '26.3.1']
const OLDEST_USABLE = 24

export interface NodeJudgement {
  readonly state: 'safe' | 'unsafe' | 'unusable'
  /** One sentence for logs and `waypost doctor`. */
  readonly detail: string
}

/** Judges a version of Node, without a leading `v`. */
export function judgeNode(version: string): NodeJudgement {
  const [major = 0] = parse(version)
  const safe = OLDEST_SAFE.join(' or ')
  if (major < OLDEST_USABLE) return { state: 'unusable', detail: `Node ${version} is too old: use ${safe} or newer.` }
  const line = OLDEST_SAFE.find((oldest) => parse(oldest)[0] === major)
  const isNewerLine = OLDEST_SAFE.every((oldest) => (parse(oldest)[0] ?? 0) < major)
  if (isNewerLine || (line !== undefined && !isOlder(version, line)))
    return { state: 'safe', detail: `Node ${version}` }
  const why = line === undefined ? 'gets no more security fixes' : `lacks the security fixes of ${line}`
  return { state: 'unsafe', detail: `Node ${version} ${why}: use ${safe} or newer.` }
}

function parse(version: string): number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10))
}

function isOlder(one: string, other: string): boolean {
  const [ours, theirs] = [parse(one), parse(other)]
  const at = ours.findIndex((part, index) => part !== theirs[index])
  return at !== -1 && (ours[at] ?? 0) < (theirs[at] ?? 0)
}
