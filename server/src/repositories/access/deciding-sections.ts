const SECTION = /^\[([^\]]*)\]/gm

/**
 * Where an access file decides about a path: at the deepest section that is the path or above it, else at the root. All
 * paths with the same answer are of the same opinion, so that one of them has to be asked about. `text` is the part that
 * people write; sections for other repositories only make the answers finer than they have to be.
 */
export function decidingSections(text: string): (path: string) => string {
  const heads = [...text.matchAll(SECTION)].map(([, head = '']) => head.trim())
  // What a pattern is about is not seen from its words.
  if (heads.some((head) => head.startsWith(':glob:'))) return (path) => path
  const sections = new Set(heads.map((head) => normal(head.slice(head.indexOf('/')))))
  return (path) => {
    for (let above = path; above.length > 1; above = above.slice(0, above.lastIndexOf('/')))
      if (sections.has(normal(above))) return above
    return '/'
  }
}

/** Subversion takes letters as the same that look the same, and passes over slashes that say nothing. */
function normal(path: string): string {
  return path.normalize('NFC').split('/').filter(Boolean).join('/')
}
