import { useLayoutEffect, useRef } from 'react'
import styles from './rich-text.module.css'

const MAX_PLAIN_CHARACTERS = 300

/** The allowlist of the server, applied again as defence in depth against XSS. */
const BLOCKS = 'blockquote br dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr img li ol p pre summary ul'
const TABLES = 'caption col colgroup table tbody td tfoot th thead tr'
const WORDS = 'a abbr b cite code del em i ins kbd mark q s samp small span strike strong sub sup u var wbr'
const ELEMENTS = new Set([BLOCKS, TABLES, WORDS].flatMap((names) => names.split(' ')))
const ATTRIBUTES = new Set(
  'align alt class colspan dir height href lang rel rowspan span src start title width'.split(' '),
)

/** Sanitized HTML from the server. Images of other hosts become links, so that reading does not reveal the viewer. */
export function RichText({ html }: { html: string }) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => element.current?.replaceChildren(...nodesOf(html)), [html])
  return <div ref={element} className={styles['rich']} />
}

function nodesOf(html: string): ChildNode[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of body.querySelectorAll('*'))
    if (ELEMENTS.has(element.localName)) clean(element)
    else element.remove()
  for (const picture of body.querySelectorAll('img')) {
    const address = picture.getAttribute('src') ?? ''
    if (URL.canParse(address, location.href) && new URL(address, location.href).origin === location.origin) continue
    const link = document.createElement('a')
    link.href = address
    link.rel = 'noreferrer'
    link.textContent = picture.alt === '' ? address : picture.alt
    picture.replaceWith(link)
  }
  return [...body.childNodes]
}

/** Each paragraph has the direction of its own text. */
const DIRECTED = new Set('blockquote dd dt h1 h2 h3 h4 h5 h6 li p td th'.split(' '))

function clean(element: Element): void {
  for (const name of element.getAttributeNames()) if (!ATTRIBUTES.has(name)) element.removeAttribute(name)
  for (const name of ['href', 'src']) if (!leadsToPage(element.getAttribute(name))) element.removeAttribute(name)
  if (DIRECTED.has(element.localName) && !element.hasAttribute('dir')) element.setAttribute('dir', 'auto')
}

function leadsToPage(address: string | null): boolean {
  if (address === null || !URL.canParse(address, location.href)) return false
  return ['http:', 'https:', 'mailto:'].includes(new URL(address, location.href).protocol)
}

/** The text without markup, in one line. DOMParser runs no scripts and loads no resources. */
export function toPlainLine(source: string, isHtml: boolean): string {
  const words = isHtml ? new DOMParser().parseFromString(source, 'text/html').body.textContent : source
  return words
    .slice(0, MAX_PLAIN_CHARACTERS * 2)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_PLAIN_CHARACTERS)
}
