const SPACE = /[ \t\r\n]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y
// oxlint-disable-next-line no-control-regex -- JSON forbids control characters in strings
const PLAIN = /[^"\\\u0000-\u001f]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/**
 * The offset of the first character that is not JSON; the length of the text if it ends too early. `JSON.parse` names
 * no offset in most of its messages. The nesting of the text must be bounded.
 */
export function locateJsonFault(text: string): number {
  const end = readValue(text, skip(SPACE, text, 0))
  if (!end.isSound) return end.at
  return skip(SPACE, text, end.at)
}

interface Progress {
  readonly at: number
  readonly isSound: boolean
}

function readValue(text: string, at: number): Progress {
  const first = text[at]
  if (first === '"') return readString(text, at)
  if (first === '[') return readItems(text, at, ']', readValue)
  if (first === '{') return readItems(text, at, '}', readMember)
  const end = Math.max(skip(NUMBER, text, at), skip(WORD, text, at))
  return { at: end, isSound: end > at }
}

function readMember(text: string, at: number): Progress {
  if (text[at] !== '"') return { at, isSound: false }
  const name = readString(text, at)
  if (!name.isSound) return name
  const colon = skip(SPACE, text, name.at)
  if (text[colon] !== ':') return { at: colon, isSound: false }
  return readValue(text, skip(SPACE, text, colon + 1))
}

function readItems(
  text: string,
  open: number,
  close: ']' | '}',
  readItem: (text: string, at: number) => Progress,
): Progress {
  let at = skip(SPACE, text, open + 1)
  if (text[at] === close) return { at: at + 1, isSound: true }
  for (;;) {
    const item = readItem(text, at)
    if (!item.isSound) return item
    at = skip(SPACE, text, item.at)
    if (text[at] === close) return { at: at + 1, isSound: true }
    if (text[at] !== ',') return { at, isSound: false }
    at = skip(SPACE, text, at + 1)
  }
}

function readString(text: string, open: number): Progress {
  for (let at = open + 1; ; ) {
    at = skip(PLAIN, text, at)
    if (text[at] === '"') return { at: at + 1, isSound: true }
    const after = skip(ESCAPE, text, at)
    if (after === at) return { at, isSound: false }
    at = after
  }
}

/** The end of the match at this offset; the offset itself without a match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
