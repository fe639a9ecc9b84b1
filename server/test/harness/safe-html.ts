import { safeUrl } from '../../src/platform/rich-text/safe-url.ts'
import { ALLOWED_ATTRIBUTES, ALLOWED_ELEMENTS } from '../../src/platform/rich-text/sanitise-html.ts'
import { unescapeHtml } from '../../src/platform/wire/html.ts'

const TAG = /^<\/?([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)(?: \/)?>$/
const ADDRESS = /^(?:href|src)$/

/**
 * Everything in this HTML that is not a well-formed tag of a safe element with safe attributes. It accepts one way to
 * write a tag only, so that parser differences cannot bypass it.
 */
export function faultsOfHtml(html: string): string[] {
  const tags = html.match(/<[^>]*>?/g) ?? []
  const stray = html.replaceAll(/<[^>]*>/g, '').match(/[<>]/g) ?? []
  return [...stray.map((each) => `stray ${each}`), ...tags.flatMap(faultsOfTag)]
}

function faultsOfTag(tag: string): string[] {
  const [, element = '', attributes = ''] = TAG.exec(tag) ?? []
  if (!ALLOWED_ELEMENTS.includes(element)) return [tag]
  const known = [...(ALLOWED_ATTRIBUTES[element] ?? []), ...(ALLOWED_ATTRIBUTES['*'] ?? [])]
  return [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)]
    .filter(([, name = '', value = '']) => !known.includes(name) || (ADDRESS.test(name) && !isSafe(value)))
    .map(([attribute]) => `${tag}: ${attribute}`)
}

function isSafe(value: string): boolean {
  const url = unescapeHtml(value)
  return url === '' || safeUrl(url) === url
}
