import { ADA, MARA, TOM, UMA } from '../../fixtures/people.ts'
import { BUGS, LEDGER, LEDGER_SECRET, LOST_BUG, OPEN_BUG, ORCHARD, SAFE_SECRET } from '../../fixtures/seed-ids.ts'
import type { Knowledge } from './knowledge.ts'
import type { RepeatableRandom } from './random.ts'
import { anyone, type Recipe, type Wish } from './recipe.ts'

const insiders = [UMA, MARA, ADA] as const

/** An artifact or a tracker, and a person who may read it. */
function artifact(random: RepeatableRandom): Wish {
  if (random.chance(0.2)) return { as: random.pick(insiders), params: { id: LEDGER_SECRET } }
  return { as: anyone(random), params: { id: OPEN_BUG } }
}

function tracker(random: RepeatableRandom): Wish {
  if (random.chance(0.2)) return { as: random.pick(insiders), params: { id: LEDGER } }
  return { as: anyone(random), params: { id: BUGS } }
}

/** Names of link types have no digits. */
function freshType(known: Knowledge): string {
  return `type_${known.fresh('').replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}`
}

/** The types that this run has made. */
function ownTypes(known: Knowledge): string[] {
  return (known.ids.get('link_types') ?? []).filter((name) => name.startsWith('type_'))
}

function deletedType(known: Knowledge): Wish {
  const [first = '_is_child', ...others] = ownTypes(known)
  if (others.length > 0) known.ids.set('link_types', others)
  return { as: ADA, params: { name: first }, dryRun: others.length === 0 }
}

export const RECIPES_OF_LINKS: Readonly<Record<string, Recipe>> = {
  getArtifacts(_known, random) {
    const ids = [OPEN_BUG, LEDGER_SECRET, SAFE_SECRET, LOST_BUG, 1, -5, 2 ** 53].filter(() => random.chance(0.6))
    const query = JSON.stringify({ id: [...ids, 77] })
    return { as: anyone(random), query: { query, ...(random.chance(0.3) && { limit: '1' }) } }
  },
  listOwnArtifacts(_known, random) {
    const query = random.pick([
      '{"submitted_by":true}',
      '{"assigned_to":true}',
      '{"submitted_by":true,"assigned_to":true}',
    ])
    return { as: random.pick([TOM, MARA, UMA]), params: { id: 'self' }, query: { query } }
  },
  queryAcrossTrackers(_known, random) {
    const columns = random.pick(['@pretty_title', 'summary, points', '@status, @assigned_to, @tracker.name, due'])
    const source = random.pick(["@project = 'self'", "@project.name = 'orchard' AND @tracker.name IN ('bug', 'gate')"])
    const order = random.pick(['', ' ORDER BY @title', ' ORDER BY @last_update_date DESC, @id'])
    const where = random.pick([
      '@id > 0',
      '@status = OPEN()',
      'IS LINKED TO',
      'summary = "e" AND @submitted_by != "uma"',
    ])
    const query = { project_id: ORCHARD, tql_query: `SELECT ${columns} FROM ${source} WHERE ${where}${order}` }
    return { as: TOM, query: { query: JSON.stringify(query) } }
  },
  listLinkTypes: (_known, random) => ({ as: anyone(random) }),
  createLinkType: (known, random) => ({
    as: ADA,
    body: {
      shortname: freshType(known),
      forward_label: random.pick(['Fixed in', '<b>In</b>', '修复于']),
      reverse_label: random.pick(['Fixes', 'Ö&']),
    },
  }),
  getLinkType: (known, random) => ({
    as: anyone(random),
    params: { name: random.pickAny(ownTypes(known)) ?? '_is_child' },
  }),
  updateLinkType: (known, random) => ({
    as: ADA,
    params: { name: random.pickAny(ownTypes(known)) ?? '_is_child' },
    body: { forward_label: random.pick(['Solved in', 'Fixed in']) },
  }),
  deleteLinkType: deletedType,
  listProjectLinkTypes: (_known, random) => ({ as: anyone(random), params: { id: ORCHARD } }),
  getProjectLinkType: (known, random) => ({
    as: anyone(random),
    params: { id: ORCHARD, name: random.pickAny(ownTypes(known)) ?? '_is_child' },
  }),
  switchProjectLinkType(known, random) {
    const own = random.pickAny(ownTypes(known))
    // A type of the platform cannot be switched off.
    const enabled = own === undefined || random.chance(0.5)
    return { as: random.pick([MARA, ADA]), params: { id: ORCHARD, name: own ?? '_is_child' }, body: { enabled } }
  },
  listLinkNatures: (_known, random) => artifact(random),
  listLinkedArtifacts(_known, random) {
    const query = random.pick<Record<string, string>>([
      { direction: 'forward' },
      { direction: 'reverse', nature: '_is_child', limit: '1' },
      { direction: 'forward', nature: 'unheard_of', output_format: 'flat' },
      { direction: 'reverse', nature: '', output_format: 'flat_with_semicolon_string_array', offset: '1' },
    ])
    return { ...artifact(random), query }
  },
  setLinks(_known, random) {
    const harmless = random.pick<object[]>([[], [{ id: 0, type: '', direction: 'sideways' }]])
    if (random.chance(0.3)) return { as: TOM, params: { id: OPEN_BUG }, body: { all_links: harmless } }
    const direction = random.chance(0.5) && { direction: 'forward' }
    const all_links = [{ id: LEDGER_SECRET, type: random.pick(['', '_is_child']), ...direction }]
    return { as: random.pick(insiders), params: { id: OPEN_BUG }, body: { all_links } }
  },
  listUsedLinkTypes: (_known, random) => tracker(random),
  listParentArtifacts: (_known, random) => ({ ...tracker(random), query: { limit: random.pick(['0', '5', '1000']) } }),
}
