declare module '../../platform/operation/context.ts' {
  interface Context {
    /** The kinds of references, by keyword. Modules above provide them in `ports.ts`. */
    readonly referenceKinds: readonly ReferenceKind[]
  }
}

/** A kind of reference target: `art #12` stands for the page `/artifacts/12`. */
export interface ReferenceKind {
  /** In lower case. */
  readonly keywords: readonly string[]
  /**
   * The page. `$1` to `$9` are the arguments, `$0` is the keyword, `$projname` and `$group_id` identify the project.
   */
  readonly link: string
  /** The service that a project must use for these keywords. */
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

/** Whether the keyword is valid in every project. */
export function isKeyword(kinds: readonly ReferenceKind[], keyword: string): boolean {
  return kinds.some(({ keywords }) => keywords.includes(keyword))
}

/** The kind for a keyword with this number of arguments. */
export function findReferenceKind(
  kinds: readonly ReferenceKind[],
  keyword: string,
  numberOfArguments: number,
): ReferenceKind | undefined {
  return kinds.find(({ keywords, link }) => keywords.includes(keyword) && countPlaceholders(link) === numberOfArguments)
}

/** The page address of a reference. */
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

function countPlaceholders(link: string): number {
  return new Set(link.match(/\$[1-9]/g)).size
}
