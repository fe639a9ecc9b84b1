const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as a part of HTML, also inside a quoted attribute: nothing in it is markup any more. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** What {@link escapeHtml} writes for a character. */
export const ESCAPED = /&(?:amp|lt|gt|quot|#39);/g

const CHARACTERS = new Map(Object.entries(ENTITIES).map(([character, entity]) => [entity, character]))

/** The text that {@link escapeHtml} was given. */
export function unescapeHtml(html: string): string {
  return html.replace(ESCAPED, (entity) => CHARACTERS.get(entity) ?? entity)
}
