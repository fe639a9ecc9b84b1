const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for HTML, also inside a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** The entities that {@link escapeHtml} writes. */
export const ESCAPED = /&(?:amp|lt|gt|quot|#39);/g

const CHARACTERS = new Map(Object.entries(ENTITIES).map(([character, entity]) => [entity, character]))

/** Reverts {@link escapeHtml}. */
export function unescapeHtml(html: string): string {
  return html.replace(ESCAPED, (entity) => CHARACTERS.get(entity) ?? entity)
}
