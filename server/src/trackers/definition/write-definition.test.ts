import { expect, test } from 'vitest'
import { testReferenceLookup } from '../../../test/fixtures/definition-reference-lookup.ts'
import { createRepeatableRandom } from '../../../test/suites/fuzz/random.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { wholeDefinition } from '../../../test/fixtures/whole-definition.ts'
import { toId } from '../../platform/database/ids.ts'
import { startCoercion } from '../../platform/wire/coerce.ts'
import { coerceInput } from '../../platform/wire/read-input.ts'
import { parseXml, writeXml } from '../../platform/wire/xml.ts'
import type { Tracker } from '../tracker.ts'
import { validateDocument } from './validate-document.ts'
import { parseDefinition } from './parse-definition.ts'
import { TrackerDefinition } from './schemas.ts'
import { writeDefinition } from './write-definition.ts'

const world = testReferenceLookup()

function trackerOf(document: TrackerDefinition, stored?: Tracker): Tracker | undefined {
  const { structure, named, problems } = parseDefinition(document, world, { stored })
  if (problems.length > 0) return undefined
  return { ...structure, ...named, id: toId(1), project_id: ORCHARD, version: 1, rights_epoch: 1 }
}

/** The same document with randomly removed members. */
function prunedBy(chance: () => boolean, value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.filter(chance).map((each) => prunedBy(chance, each, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => depth === 0 || name === 'type' || chance())
  return Object.fromEntries(kept.map(([name, each]) => [name, prunedBy(chance, each, depth + 1)]))
}

test('every accepted document is written so that parsing it again changes nothing, in JSON and XML', () => {
  let good = 0
  for (let seed = 1; seed <= 400; seed++) {
    const random = createRepeatableRandom(`definition ${seed}`)
    const { document } = validateDocument(prunedBy(() => random.chance(0.97), wholeDefinition()))
    const tracker = document && trackerOf(document)
    if (!tracker) continue
    good++
    const written = writeDefinition(tracker, world)
    const fromXml = validateDocument(coerceInput(TrackerDefinition, parseXml(writeXml(written)), startCoercion('xml')))
    expect(validateDocument(JSON.parse(JSON.stringify(written)))).toEqual({ document: written, problems: [] })
    expect(fromXml.problems).toEqual([])
    for (const again of [written, fromXml.document]) {
      const second = again && trackerOf(again, tracker)
      expect(second && writeDefinition(second, world)).toEqual(written)
    }
  }
  expect(good).toBeGreaterThan(20)
})
