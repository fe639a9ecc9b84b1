/** A text as a Markdown quote, followed by an empty line for the reply. DOMParser runs no scripts. */
export function toQuote(source: string, isHtml: boolean): string {
  const plain = isHtml ? new DOMParser().parseFromString(source, 'text/html').body.textContent : source
  const lines = plain.trim().split('\n')
  return `${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}\n\n`
}
