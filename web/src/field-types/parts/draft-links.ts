import { jsonNumber, jsonObjects, jsonText } from '../../json.ts'
import type { ArtifactRelation } from '../field-type.ts'

export type DraftLink = Pick<ArtifactRelation, 'id' | 'type' | 'direction'>

/** Drafts are also restored from storage. */
export function draftLinks(links: unknown): readonly DraftLink[] {
  return jsonObjects(links).flatMap(({ id, type, direction }): DraftLink[] => {
    const number = jsonNumber(id)
    const way = direction === 'reverse' ? 'reverse' : 'forward'
    return number === undefined ? [] : [{ id: number, type: jsonText(type), direction: way }]
  })
}
