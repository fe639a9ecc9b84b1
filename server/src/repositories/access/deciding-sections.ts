const SECTION = /^\[([^\]]*)\]/gm

/**
 * Maps a path to the access file section that decides: the deepest section at or above the path, else the root. Paths
 * with the same section have the same rights, so one check serves all. `text` is the user-written part; sections of
 * other repositories only make the result finer than necessary.
 */
export function decidingSections(text: string): (path: string) => string {
  const heads = [...text.matchAll(SECTION)].map(([, head = '']) => head.trim())
  // Glob sections cannot be matched by prefix.
  if (heads.some((head) => head.startsWith(':glob:'))) return (path) => path
  const sections = new Set(heads.map((head) => normal(head.slice(head.indexOf('/')))))
  return (path) => {
    for (let above = path; above.length > 1; above = above.slice(0, above.lastIndexOf('/')))
      if (sections.has(normal(above))) return above
    return '/'
  }
}

/** Subversion compares paths in NFC and ignores empty segments. */
function normal(path: string): string {
  return path.normalize('NFC').split('/').filter(Boolean).join('/')
}
