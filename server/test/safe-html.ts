import { safeUrl } from '../src/platform/texts/safe-url.ts'
import { ATTRIBUTES, ELEMENTS } from '../src/platform/texts/sanitise-html.ts'
import { unescapeHtml } from '../src/platform/wire/html.ts'

const TAG = /^<\/?([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)(?: \/)?>$/
const ADDRESS = /^(?:href|src)$/

/**
 * What in this HTML we would not show: anything but well-formed tags of harmless elements with harmless attributes. It
 * knows one way only to write a tag, so that no disagreement of parsers gets past it.
 */
export function faultsOfHtml(html: string): string[] {
  const tags = html.match(/<[^>]*>?/g) ?? []
  const stray = html.replaceAll(/<[^>]*>/g, '').match(/[<>]/g) ?? []
  return [...stray.map((each) => `stray ${each}`), ...tags.flatMap(faultsOfTag)]
}

function faultsOfTag(tag: string): string[] {
  const [, element = '', attributes = ''] = TAG.exec(tag) ?? []
  if (!ELEMENTS.includes(element)) return [tag]
  const known = [...(ATTRIBUTES[element] ?? []), ...(ATTRIBUTES['*'] ?? [])]
  return [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)]
    .filter(([, name = '', value = '']) => !known.includes(name) || (ADDRESS.test(name) && !isSafe(value)))
    .map(([attribute]) => `${tag}: ${attribute}`)
}

function isSafe(value: string): boolean {
  const url = unescapeHtml(value)
  return url === '' || safeUrl(url) === url
}
