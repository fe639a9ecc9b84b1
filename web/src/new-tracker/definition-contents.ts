import type { TrackerDefinition, TrackerElement } from '@waypost/sdk/api'

/** The API types limit the nesting of elements; here a container holds elements at any depth. */
export interface DocumentElement extends Omit<TrackerElement, 'content'> {
  content?: DocumentElement[] | null
}

/** The elements of a definition at every depth. */
export function allElements({ elements = [] }: TrackerDefinition): readonly DocumentElement[] {
  return elements.flatMap(withContent)
}

function withContent(element: DocumentElement): DocumentElement[] {
  return [element, ...(element.content ?? []).flatMap(withContent)]
}

export function findElement(definition: TrackerDefinition, name: string | undefined): DocumentElement | undefined {
  return allElements(definition).find((each) => each.name === name)
}
