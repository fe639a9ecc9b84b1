/** The text without one level of backslashes; `origin` tells where a character of it stood before. */
export function removeBackslashes(text: string): { text: string; origin: (at: number) => number } {
  const parts: string[] = []
  const origins: number[] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    if (at < text.length) origins.push(at)
    parts.push(text[at] ?? '')
  }
  return { text: parts.join(''), origin: (at) => origins[at] ?? text.length }
}
