import { type MouseEvent, useLayoutEffect, useRef } from 'react'
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

interface TaskList {
  /** The tasks in the source. If the HTML has another number, their places are unknown, and none can be ticked. */
  readonly count: number
  readonly onTick: (index: number, isDone: boolean) => void
}

interface Props {
  readonly html: string
  /** Absent: tasks are only shown. */
  readonly tasks?: TaskList | undefined
}

/** Sanitized HTML from the server. Images of other hosts become links, so that reading does not reveal the viewer. */
export function RichText({ html, tasks }: Props) {
  const element = useRef<HTMLDivElement>(null)
  const count = tasks?.count ?? 0
  useLayoutEffect(() => element.current?.replaceChildren(...nodesOf(html, count)), [html, count])
  const tick = (event: MouseEvent) => {
    const boxes = [...(element.current?.querySelectorAll('input') ?? [])]
    const box = boxes.find((each) => each === event.target)
    if (!box || !tasks) return
    event.preventDefault() // It changes when the text has been written.
    tasks.onTick(boxes.indexOf(box), box.checked)
  }
  return <div ref={element} className={styles['rich']} onClick={tick} />
}

function nodesOf(html: string, taskCount: number): ChildNode[] {
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
  showTasks(body, taskCount)
  return [...body.childNodes]
}

const BOX = /^\[([ xX])\]\s+/

/** Items that begin with `[ ]` or `[x]` get a checkbox. */
function showTasks(body: HTMLElement, tickable: number): void {
  const boxes = [...body.querySelectorAll('li')].flatMap((item) => {
    const first = item.firstElementChild?.localName === 'p' ? item.firstElementChild.firstChild : item.firstChild
    const mark = first?.nodeType === Node.TEXT_NODE ? BOX.exec(first.textContent ?? '') : null
    if (!first || !mark) return []
    first.textContent = (first.textContent ?? '').slice(mark[0].length)
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.defaultChecked = mark[1] !== ' '
    box.ariaLabel = (first.parentElement?.textContent ?? '').split('\n', 1)[0] ?? ''
    first.before(box)
    item.classList.add(String(styles['task']))
    return [box]
  })
  if (boxes.length !== tickable) for (const box of boxes) box.disabled = true
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
