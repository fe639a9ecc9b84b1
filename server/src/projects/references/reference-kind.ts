declare module '../../platform/operation/context.ts' {
  interface Context {
    /** What a text may refer to, by keyword. Rooms above fill it in `ports.ts`. */
    readonly referenceKinds: readonly ReferenceKind[]
  }
}

/** Something that texts refer to: `art #12` means the page `/artifacts/12`. */
export interface ReferenceKind {
  /** In lower case. */
  readonly keywords: readonly string[]
  /** Its page. `$1` to `$9` are the arguments, `$0` is the keyword, `$projname` and `$group_id` name the project. */
  readonly link: string
  /** The service without which a project does not know these keywords. */
  readonly service?: string
}

export const SYSTEM_KINDS: readonly ReferenceKind[] = [
  { keywords: ['art', 'artifact'], link: '/artifacts/$1', service: 'plugin_tracker' },
  {
    keywords: ['svn', 'rev', 'revision'],
    link: '/projects/$projname/repositories/$1/revisions/$2',
    service: 'plugin_svn',
  },
]

/** Whether texts everywhere may begin a reference with it. */
export function isKeyword(kinds: readonly ReferenceKind[], keyword: string): boolean {
  return kinds.some(({ keywords }) => keywords.includes(keyword))
}

/** The kind that a keyword names with this many arguments. */
export function kindOf(
  kinds: readonly ReferenceKind[],
  keyword: string,
  numberOfArguments: number,
): ReferenceKind | undefined {
  return kinds.find(({ keywords, link }) => keywords.includes(keyword) && placesIn(link) === numberOfArguments)
}

/** The page of a reference. */
export function fillLink(
  { link }: ReferenceKind,
  { keyword, args, project }: { keyword: string; args: readonly string[]; project: { id: number; shortname: string } },
): string {
  return link.replace(/\$(projname|group_id|\d)/g, (_, place: string) => {
    if (place === 'projname') return encodeURIComponent(project.shortname)
    if (place === 'group_id') return String(project.id)
    return encodeURIComponent(place === '0' ? keyword : (args[Number(place) - 1] ?? ''))
  })
}

function placesIn(link: string): number {
  return new Set(link.match(/\$[1-9]/g)).size
}
