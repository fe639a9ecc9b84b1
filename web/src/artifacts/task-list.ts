const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** An item of a list that begins with a box, also in quotes. */
const TASK = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s/d

/** The positions of the marks in the boxes of a Markdown text, outside of code blocks. */
function findMarks(source: string): readonly number[] {
  const marks: number[] = []
  let at = 0
  let fence: string | undefined
  for (const line of source.split('\n')) {
    const sign = FENCE.exec(line)?.[1]
    if (fence === undefined) {
      fence = sign
      const [begin] = (sign === undefined && TASK.exec(line)?.indices?.[1]) || []
      if (begin !== undefined) marks.push(at + begin)
    } else if (sign?.startsWith(fence)) fence = undefined
    at += line.length + 1
  }
  return marks
}

export function countTasks(source: string): number {
  return findMarks(source).length
}

/** The text with one task marked as done or not; undefined: it has no such task. */
export function tickTask(source: string, index: number, isDone: boolean): string | undefined {
  const at = findMarks(source)[index]
  return at === undefined ? undefined : `${source.slice(0, at)}${isDone ? 'x' : ' '}${source.slice(at + 1)}`
}
