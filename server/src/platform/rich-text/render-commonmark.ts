import MarkdownIt, { type RendererRule } from 'markdown-it'
import { linkRel, safeUrl } from './safe-url.ts'

const OPTIONS = {
  html: false,
  linkify: false,
  typographer: false,
  xhtmlOut: true,
  maxNesting: 30, // Deeper nesting is unusual, and each unclosed bracket costs this much.
}

const markdown = new MarkdownIt(OPTIONS)
markdown.validateLink = (url) => safeUrl(url) !== undefined
Object.assign(markdown.renderer.rules, { link_open: openLink, th_open: openCell, td_open: openCell })

/** Renders CommonMark with tables and strikethrough as safe HTML. HTML in the source is escaped. */
export function renderCommonmark(source: string): string {
  return markdown.render(source).trimEnd()
}

function openLink(...[tokens, at, options, , renderer]: Parameters<RendererRule>): string {
  const token = tokens[at]
  const relation = linkRel(String(token?.attrGet('href') ?? ''))
  if (relation !== '') token?.attrSet('rel', relation)
  return renderer.renderToken(tokens, at, options)
}

/** Our pages forbid inline styles, so the alignment of a column is an attribute. */
function openCell(...[tokens, at, options, , renderer]: Parameters<RendererRule>): string {
  const token = tokens[at]
  const style = token?.attrGet('style')
  if (token && style) token.attrs = [['align', String(style).replace('text-align:', '')]]
  return renderer.renderToken(tokens, at, options)
}
