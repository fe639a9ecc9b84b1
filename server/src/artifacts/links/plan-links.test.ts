import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { linking, ROOTS, STONES, TREES } from '../../../test/fixtures/linked-trackers.ts'
import { ADA, MARA, TOM } from '../../../test/fixtures/people.ts'
import { MARSH, MARSH_BUGS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'

const { api, context } = await startWorld({ seedOnce: true })
let trees: MadeTracker
let roots: MadeTracker
let stones: MadeTracker
const { create, plant, update, linksOf, versionOf } = linking(api, () => trees)
const CHILD = '_is_child'
const NOBODY = 999_999

/** Links two trees with a reserved type, as the platform does. */
async function mirror(from: number, to: number): Promise<void> {
  const links = JSON.stringify({ [trees.field('links')]: { [to]: '_mirrored' } })
  await sql`update artifact_link set type = '_mirrored' where source_id = ${from}`.execute(context.db)
  await sql`update artifact set field_values = field_values || ${links}::jsonb where id = ${from}`.execute(context.db)
}

/** An artifact of Marsh, created before the project was suspended. */
async function muddy(): Promise<number> {
  const become = (status: string) =>
    sql`update project set status = ${status}, version = version + 1 where id = ${MARSH}`.execute(context.db)
  await become('active')
  const body = { tracker: { id: MARSH_BUGS }, values_by_field: { title: 'Mud' } }
  const { json } = await api.post('/artifacts', { as: ADA, body })
  await become('suspended')
  return json.id
}

/** The first problem of a response. */
const why = ({ status, json }: Awaited<ReturnType<typeof create>>) => ({
  status,
  reason: json.error?.reason,
  cause: json.error?.details?.all?.[0]?.cause,
  path: json.error?.details?.all?.[0]?.path,
})
const unknown = (cause: string, path: string) => ({ status: 400, reason: 'reference_unknown', cause, path })
const forbidden = (cause: string, path: string) => ({ status: 400, reason: 'value_not_allowed', cause, path })

beforeAll(async () => {
  trees = await makeTestTracker(api, TREES)
  roots = await makeTestTracker(api, ROOTS)
  stones = await makeTestTracker(api, STONES)
  await context.db
    .insertInto('link_type')
    .values([
      { shortname: 'grafted', forward_label: 'Grafted on', reverse_label: 'Bears' },
      { shortname: 'banned', forward_label: 'Banned', reverse_label: 'Banned' },
      {
        shortname: '_mirrored',
        forward_label: 'Mirrors',
        reverse_label: 'Mirrored by',
        is_system: true,
        is_reserved: true,
      },
    ])
    .execute()
  await context.db
    .insertInto('disabled_link_type')
    .values([{ project_id: ORCHARD, shortname: 'banned' }])
    .execute()
})

describe('links', () => {
  test('are created with the artifact', async () => {
    const [one, other] = [await plant(), await plant()]
    const id = await plant({ links: [{ id: one, type: CHILD }, { id: other }] })

    expect(await linksOf(id)).toEqual({
      forward: [
        { id: one, type: CHILD },
        { id: other, type: '' },
      ],
      reverse: [],
    })
    expect((await linksOf(one)).reverse).toEqual([{ id, type: CHILD }])
  })

  test('are replaced by an update: omitted links are removed, types change, an empty list removes all', async () => {
    const [one, other] = [await plant(), await plant()]
    const id = await plant({ links: [{ id: one, type: CHILD }] })

    await update(id, { links: [{ id: other, type: 'grafted' }] })
    expect((await linksOf(id)).forward).toEqual([{ id: other, type: 'grafted' }])
    await update(id, { links: [{ id: other, type: null }] })
    expect((await linksOf(id)).forward).toEqual([{ id: other, type: '' }])
    await update(id, { links: [] })
    expect((await linksOf(id)).forward).toEqual([])
  })

  test('to one artifact are merged: the last wins', async () => {
    const one = await plant()
    const id = await plant({
      links: [
        { id: one, type: CHILD },
        { id: one, type: 'grafted' },
      ],
    })

    expect((await linksOf(id)).forward).toEqual([{ id: one, type: 'grafted' }])
  })

  test('that the caller does not see stay when the caller replaces all', async () => {
    const root = await makeTestArtifact(api, roots, { summary: 'Root' })
    const one = await plant()
    const id = await plant({ links: [{ id: root, type: 'grafted' }, { id: one }] })

    expect((await linksOf(id, TOM)).forward).toEqual([{ id: one, type: '' }])
    expect((await update(id, { links: [] }, { as: TOM })).status).toBe(200)
    expect((await linksOf(id)).forward).toEqual([{ id: root, type: 'grafted' }])
  })

  test('that are sent back as read change nothing', async () => {
    const [one, other] = [await plant(), await plant()]
    const id = await plant({ links: [{ id: one, type: CHILD }], parent: { id: other } })
    const { json } = await api.get(`/artifacts/${id}`, { as: TOM })

    expect((await api.put(`/artifacts/${id}`, { as: TOM, body: { values: json.values } })).status).toBe(200)
    expect(await versionOf(id)).toBe(1)
  })

  test('are accepted in one form only', async () => {
    const id = await plant()
    const conflict = { status: 400, reason: 'value_invalid', cause: 'link_forms_conflict', path: 'values[0].all_links' }

    expect(why(await update(id, { all_links: [], links: [] }))).toEqual(conflict)
    expect(why(await update(id, { all_links: [], parent: { id } }))).toEqual(conflict)
    expect(why(await update(id, {}))).toMatchObject({ cause: 'link_form_missing' })
  })
})

describe('a parent', () => {
  test('is given with the artifact, and gets a version of its own', async () => {
    const parent = await plant()
    const id = await plant({ parent: { id: String(parent) } })

    expect((await linksOf(parent)).forward).toEqual([{ id, type: CHILD }])
    expect(await linksOf(id)).toEqual({ forward: [], reverse: [{ id: parent, type: CHILD }] })
    expect(await versionOf(parent)).toBe(2)
  })

  test('as the only input adds no version to the artifact', async () => {
    const [parent, id] = [await plant(), await plant()]
    const { status, headers } = await update(id, { parent: { id: parent } }, { as: TOM })

    expect(status).toBe(200)
    expect(await versionOf(id)).toBe(1)
    expect(headers['last-modified']).toBe((await api.get(`/artifacts/${id}`, { as: TOM })).headers['last-modified'])
    const [, last] = (await api.get(`/artifacts/${parent}/changesets`, { as: TOM })).json
    expect(last).toMatchObject({ submitted_by: TOM.id, last_comment: { body: '' } })
  })

  test('is added to existing ones, and repeating it changes nothing', async () => {
    const [one, other] = [await plant(), await plant()]
    const id = await plant({ parent: { id: one } })
    await update(id, { parent: { id: other } })
    await update(id, { parent: { id: other } })

    expect((await linksOf(id)).reverse.map((link) => link.id)).toEqual([one, other])
    expect(await versionOf(other)).toBe(2)
  })
})

describe('all links', () => {
  test('are the whole set in both directions', async () => {
    const [gone, kept, from, to] = [await plant(), await plant(), await plant(), await plant()]
    const id = await plant({ links: [{ id: gone }], parent: { id: kept } })
    await update(id, { parent: { id: gone } })
    const all_links = [
      { id: kept, direction: 'reverse', type: CHILD },
      { id: from, direction: 'reverse', type: 'grafted' },
      { id: to, direction: 'forward', type: '' },
      { id: NOBODY, direction: 'sideways', type: '' },
    ]

    expect((await update(id, { all_links }, { as: TOM })).status).toBe(200)
    expect(await linksOf(id)).toEqual({
      forward: [{ id: to, type: '' }],
      reverse: [
        { id: kept, type: CHILD },
        { id: from, type: 'grafted' },
      ],
    })
    expect(await versionOf(kept)).toBe(2)
    expect(await versionOf(gone)).toBe(3)
  })

  test('keep links from artifacts that the caller does not see', async () => {
    const id = await plant()
    const root = await makeTestArtifact(api, roots, { summary: 'Root', links: { links: [{ id, type: CHILD }] } })

    expect((await update(id, { all_links: [] }, { as: TOM })).status).toBe(200)
    expect((await linksOf(id)).reverse).toEqual([{ id: root, type: CHILD }])
  })

  test('each have their type', async () => {
    const [one, id] = [await plant(), await plant()]
    const missing = { status: 400, reason: 'value_invalid', cause: 'link_type_missing' }

    expect(why(await update(id, { all_links: [{ id: one, direction: 'forward' }] }))).toMatchObject(missing)
    expect(why(await update(id, { all_links: [{ id: one, direction: 'reverse', type: null }] }))).toMatchObject(missing)
  })
})

describe('a link is refused', () => {
  test('to or from a missing or hidden artifact, in the same words', async () => {
    const root = await makeTestArtifact(api, roots, { summary: 'Root' })
    const id = await plant()
    for (const other of [NOBODY, root]) {
      expect(why(await update(id, { links: [{ id: other }] }, { as: TOM }))).toEqual(
        unknown('link_target_unknown', 'values[0].links[0].id'),
      )
      expect(why(await update(id, { parent: { id: other } }, { as: TOM }))).toEqual(
        unknown('link_source_unknown', 'values[0].parent.id'),
      )
    }
  })

  test('to itself', async () => {
    const id = await plant()

    expect(why(await update(id, { links: [{ id }] }))).toEqual(forbidden('link_to_self', 'values[0].links[0].id'))
    expect(why(await update(id, { parent: { id } }))).toEqual(forbidden('link_to_self', 'values[0].parent.id'))
  })

  test('in reverse, if the tracker does not accept that; the parent is exempt', async () => {
    const elements = TREES.elements.map((element) =>
      element.type === 'art_link' ? { ...element, properties: { can_edit_reverse_links: 0 } } : element,
    )
    const closed = await makeTestTracker(api, { ...TREES, label: 'Hedges', item_name: 'hedge', elements })
    const [one, other] = [await plant(), await plant()]
    const id = await makeTestArtifact(api, closed, { summary: 'Hedge', links: { parent: { id: one } } })
    const set = (...from: number[]) => {
      const all_links = from.map((each) => ({ id: each, direction: 'reverse', type: CHILD }))
      return api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { links: { all_links } } } })
    }

    expect(why(await set(one, other))).toMatchObject({ reason: 'field_not_writable', cause: 'reverse_links_closed' })
    expect((await set(one)).status).toBe(200)
    expect((await set()).status).toBe(200)
    expect((await linksOf(id)).reverse).toEqual([{ id: one, type: CHILD }])
  })

  test('of a type that is unknown, disabled in the source project, or reserved', async () => {
    const one = await plant()
    const ask = async (type: string) => why(await create({ links: [{ id: one, type }] }))

    const path = 'values_by_field.links.links[0].type'
    expect(await ask('knotted')).toEqual(unknown('link_type_unknown', path))
    expect(await ask('banned')).toEqual(forbidden('link_type_disabled', path))
    expect(await ask('_mirrored')).toEqual(forbidden('link_type_reserved', path))
    const { json } = await create({ links: [{ id: one, type: '_is_chld' }] })
    expect(json.error.details).toMatchObject({ nearest: CHILD, params: { value: '_is_chld' } })
    expect(json.error.details.allowed).toContain(CHILD)
    expect(json.error.details.allowed).not.toContain('banned')
    expect(json.error.details.allowed).not.toContain('_mirrored')
    expect(json.error.message).toContain(`There is no type of link "_is_chld"; did you mean "${CHILD}"?`)
    const all_links = [{ id: one, direction: 'reverse', type: 'banned' }]
    expect(why(await create({ all_links }))).toMatchObject({ cause: 'link_type_disabled' })
  })

  test('but an existing one may keep a reserved type, and users cannot remove it', async () => {
    const [one, other] = [await plant(), await plant()]
    const id = await plant({ links: [{ id: one }] })
    await mirror(id, one)

    expect((await update(id, { links: [{ id: one, type: '_mirrored' }, { id: other }] })).status).toBe(200)
    expect(why(await update(id, { links: [] }))).toMatchObject({ cause: 'link_type_reserved' })
    expect(why(await update(id, { links: [{ id: one, type: '' }] }))).toMatchObject({ cause: 'link_type_reserved' })
  })

  test('to and from an inactive project', async () => {
    const mud = await muddy()
    const id = await plant()

    expect(why(await update(id, { links: [{ id: mud }] }, { as: ADA }))).toMatchObject({
      cause: 'link_target_inactive',
    })
    expect(why(await update(id, { parent: { id: mud } }, { as: ADA }))).toMatchObject({ cause: 'link_source_unknown' })
  })

  test('from an artifact whose links the caller may not change, added or removed', async () => {
    const id = await plant()
    const stone = await makeTestArtifact(api, stones, { summary: 'Stone', links: { links: [{ id, type: CHILD }] } })
    const free = await makeTestArtifact(api, stones, { summary: 'Stone' })
    const missing = { reason: 'value_not_allowed', cause: 'link_field_missing' }

    expect(why(await update(id, { parent: { id: free } }, { as: TOM }))).toMatchObject(missing)
    expect(why(await update(id, { all_links: [] }, { as: TOM }))).toMatchObject(missing)
    expect((await linksOf(id)).reverse).toEqual([{ id: stone, type: CHILD }])
  })

  test('if the caller may not change the field here, although they may at the other end', async () => {
    const parent = await plant()
    const stone = await makeTestArtifact(api, stones, { summary: 'Stone' })
    const body = { values: [{ field_id: stones.field('links'), parent: { id: parent } }] }

    expect(why(await api.put(`/artifacts/${stone}`, { as: TOM, body }))).toMatchObject({
      reason: 'field_not_writable',
      cause: 'field_not_updatable',
    })
    expect(await versionOf(parent)).toBe(1)
  })

  test('if it makes an artifact its own ancestor', async () => {
    const grandparent = await plant()
    const parent = await plant({ parent: { id: grandparent } })
    const id = await plant({ parent: { id: parent } })

    expect(why(await update(id, { links: [{ id: grandparent, type: CHILD }] }))).toEqual(
      forbidden('link_cycle', 'values[0].links[0].id'),
    )
    expect(why(await update(grandparent, { parent: { id } }))).toEqual(forbidden('link_cycle', 'values[0].parent.id'))
    const both = { links: [{ id: grandparent, type: CHILD }], parent: { id: parent } }
    expect(why(await create(both))).toMatchObject({ cause: 'link_cycle' })
    expect((await update(id, { links: [{ id: grandparent, type: 'grafted' }] })).status).toBe(200)
  })

  test('if two concurrent writes would make each artifact the child of the other', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [await plant(), await plant()]
      const child = (id: number) => ({ links: [{ id, type: CHILD }] })
      const answers = await Promise.all([update(one, child(other)), update(other, child(one))])

      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
      expect(answers.map(why)).toContainEqual(expect.objectContaining({ cause: 'link_cycle' }))
    }
  })

  test('but parent and child may swap in one write', async () => {
    const parent = await plant()
    const id = await plant({ parent: { id: parent } })
    const all_links = [{ id: parent, direction: 'forward', type: CHILD }]

    expect((await update(id, { all_links })).status).toBe(200)
    expect(await linksOf(id)).toEqual({ forward: [{ id: parent, type: CHILD }], reverse: [] })
  })
})

test('if one link is refused, none is written', async () => {
  const [one, id] = [await plant(), await plant()]
  const stone = await makeTestArtifact(api, stones, { summary: 'Stone' })
  const all_links = [
    { id: one, direction: 'reverse', type: CHILD },
    { id: stone, direction: 'reverse', type: CHILD },
  ]

  expect((await update(id, { all_links }, { as: TOM })).status).toBe(400)
  expect(await linksOf(id)).toEqual({ forward: [], reverse: [] })
  expect(await versionOf(one)).toBe(1)
})

test('a dry run reports the effects on the other artifacts too, and writes none', async () => {
  const [parent, id] = [await plant(), await plant()]
  const { json } = await update(id, { parent: { id: parent } }, { query: '?dry_run=true' })

  expect(json.dry_run.changes).toMatchObject([
    {
      object: `artifacts/${parent}`,
      op: 'update',
      fields: [{ name: 'links', before: { links: [] }, after: { links: [{ id, type: CHILD }] } }],
    },
  ])
  expect(await linksOf(parent)).toEqual({ forward: [], reverse: [] })
})
