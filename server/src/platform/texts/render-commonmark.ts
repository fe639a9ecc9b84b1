import MarkdownIt, { type RendererRule } from 'markdown-it'
import { relationTo, safeUrl } from './safe-url.ts'

const OPTIONS = {
  html: false,
  linkify: false,
  typographer: false,
  xhtmlOut: true,
  maxNesting: 30, // Nobody nests so deep, and each bracket that is never closed costs this much.
}

const markdown = new MarkdownIt(OPTIONS)
markdown.validateLink = (url) => safeUrl(url) !== undefined
Object.assign(markdown.renderer.rules, { link_open: openLink, th_open: openCell, td_open: openCell })

/** CommonMark, with tables and strikethrough, as HTML that is safe to show. HTML in it is shown as it is written. */
export function renderCommonmark(source: string): string {
  return markdown.render(source).trimEnd()
}

function openLink(...[tokens, at, options, , renderer]: Parameters<RendererRule>): string {
  const token = tokens[at]
  const relation = relationTo(token?.attrGet('href') ?? '')
  if (relation !== '') token?.attrSet('rel', relation)
  return renderer.renderToken(tokens, at, options)
}

/** Our pages forbid styles within HTML, so the alignment of a column is an attribute. */
function openCell(...[tokens, at, options, , renderer]: Parameters<RendererRule>): string {
  const token = tokens[at]
  const style = token?.attrGet('style')
  if (token && style) token.attrs = [['align', style.replace('text-align:', '')]]
  return renderer.renderToken(tokens, at, options)
}
