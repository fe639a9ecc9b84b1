interface ReferenceTarget {
  readonly keyword: string
  readonly id: number
}

/** Keywords that name artifacts of every tracker. */
const OF_ANY_TRACKER = ['art', 'artifact']

/** The number that a reference names, which may be that of an artifact; undefined: it names none. */
export function artifactOfReference(url: string): ReferenceTarget | undefined {
  const { searchParams } = new URL(url, 'http://page')
  const [keyword, number] = [searchParams.get('key'), searchParams.get('val')]
  return keyword !== null && number !== null && /^[1-9]\d{0,14}$/.test(number)
    ? { keyword: keyword.toLowerCase(), id: Number(number) }
    : undefined
}

/** False: the artifact of that number is not what the keyword names. */
export function isSameReference({ keyword, id }: ReferenceTarget, xref: string): boolean {
  return OF_ANY_TRACKER.includes(keyword) || xref.toLowerCase() === `${keyword} #${id}`
}
