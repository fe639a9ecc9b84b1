import { upload } from './attaching.ts'
import type { Client } from './client.ts'
import { COMMENT_CANARY, FIELD_CANARIES, HIDDEN_CANARY, VAULT_CANARY } from './canaries.ts'
import { type MadeTracker, makeTracker } from './every-field.ts'
import { ADA, GUS, MARA, OLGA, type Person, TOM, UMA, VICTOR } from './people.ts'
import { LEADS, VAULT } from './places.ts'

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const rights = (read: string, submit = read, update = read) => ({
  permissions: { read: [read], submit: [submit], update: [update] },
})
const open = rights('@anonymous', '@registered', '@members')

/** Every kind of access but that to all; what one sees depends on who submitted, who is assigned, and the restriction. */
const PARCELS = {
  label: 'Parcels',
  item_name: 'parcel',
  permissions: { submitted_by_user: ['@registered'], submitted_by_group: ['@members'], assigned_to_group: ['leads'] },
  elements: [
    field('summary', 'string', open),
    field('carrier', 'msb', { ...open, bind: { type: 'users', sources: ['@members', 'leads'] } }),
    field('seen_by', 'perm', rights('@anonymous', '@members')),
  ],
  semantics: { title: 'summary', contributor: 'carrier' },
}

type Right = keyof typeof FIELD_CANARIES

/** Hidden in every member that a field can say something in. */
const secret = (name: string, type: string, right: Right, more: object = {}) => ({
  ...field(name, type),
  label: `${name} ${FIELD_CANARIES[right].label}`,
  description: FIELD_CANARIES[right].label,
  ...rights(right === 'leads' ? 'leads' : right === 'users' ? '@registered' : `@${right}`),
  ...more,
})
const secretList = (right: Right) => ({
  bind: {
    type: 'static',
    values: [
      { key: 'none', label: 'Nothing' },
      { key: 'some', label: FIELD_CANARIES[right].label, description: FIELD_CANARIES[right].label },
    ],
  },
})

/** Everybody sees these, but not all of their fields. */
const CRATES = {
  label: 'Crates',
  item_name: 'crate',
  settings: { private_comments: true },
  permissions: { full: ['@anonymous'] },
  elements: [
    field('summary', 'string', open),
    field('details', 'text', open),
    secret('for_users', 'string', 'users', { default: FIELD_CANARIES.users.label }),
    secret('for_members', 'text', 'members', { default: FIELD_CANARIES.members.label }),
    secret('for_leads', 'string', 'leads', { default: FIELD_CANARIES.leads.label }),
    secret('for_admins', 'text', 'admins', { default: FIELD_CANARIES.admins.label }),
    secret('list_for_users', 'sb', 'users', secretList('users')),
    secret('list_for_members', 'msb', 'members', secretList('members')),
    secret('list_for_leads', 'rb', 'leads', secretList('leads')),
    secret('list_for_admins', 'cb', 'admins', secretList('admins')),
    secret('tags', 'tbl', 'admins', { bind: { type: 'static', values: [] } }),
    secret('files_for_users', 'file', 'users'),
    secret('files_for_members', 'file', 'members'),
    secret('files_for_leads', 'file', 'leads'),
    secret('files_for_admins', 'file', 'admins'),
    field('given', 'string', rights('@admins', '@registered')), // To be given, not to be read back.
    field('kept', 'string', rights('@admins', '@admins', '@members')), // Whoever may change it may read it.
    field('weight', 'int', open),
    field('total', 'computed', { ...open, properties: { target_field_name: 'weight' } }),
    field('links', 'art_link', open),
    field('references', 'cross'),
    field('seen_by', 'perm', rights('@anonymous', '@members')),
    field('number', 'aid'),
  ],
  semantics: { title: 'summary', description: 'details' },
  workflow: {
    field: 'list_for_leads',
    used: false,
    mode: 'simple',
    states: [{ to: 'some', from: ['@new'] }],
  },
  reports: [
    {
      label: 'All crates',
      renderers: [
        {
          type: 'table',
          label: 'Table',
          columns: [
            'summary',
            'for_users',
            'for_members',
            'for_leads',
            'for_admins',
            'list_for_leads',
            'list_for_admins',
            'files_for_leads',
            'files_for_admins',
          ],
          sort: [
            { field: 'for_admins', direction: 'desc' },
            { field: 'list_for_leads', direction: 'asc' },
          ],
        },
      ],
    },
    { label: 'For administrators', criteria: [{ field: 'list_for_admins', value: FIELD_CANARIES.admins.label }] },
    { label: 'For leads', expert_query: `list_for_leads = "${FIELD_CANARIES.leads.label}"` },
    {
      label: 'For members',
      expert_query: `NOT (list_for_members = "${FIELD_CANARIES.members.label}") ORDER BY for_leads`,
    },
  ],
}

/** Only who administers Orchard sees this one. It is the parent of Crates. */
const WHISPERS = {
  label: `Whispers ${HIDDEN_CANARY}`,
  item_name: 'whisper',
  permissions: { full: ['@admins'] },
  elements: [
    field('summary', 'string'),
    field('details', 'text'),
    field('weight', 'int'),
    field('links', 'art_link'),
    field('references', 'cross'),
  ],
  semantics: { title: 'summary' },
}

/** Of Vault, where nobody of Orchard is. */
const COFFERS = {
  label: VAULT_CANARY,
  item_name: 'coffer',
  permissions: { full: ['@members'] },
  elements: [field('summary', 'string')],
  semantics: { title: 'summary' },
}

export interface SightWorld {
  readonly parcels: { readonly tracker: MadeTracker; readonly ids: Readonly<Record<ParcelName, number>> }
  readonly crates: { readonly tracker: MadeTracker; readonly ids: Readonly<Record<CrateName, number>> }
  readonly whispers: { readonly tracker: MadeTracker; readonly id: number }
  readonly vault: { readonly tracker: number; readonly id: number }
}

export type ParcelName =
  | 'olgas'
  | 'olgasForUma'
  | 'toms'
  | 'tomsForGus'
  | 'guss'
  | 'umas'
  | 'forAdmins'
  | 'forLeads'
  | 'deleted'
type CrateName = 'full' | 'child' | 'hiddenChild' | 'deleted'

/** Trackers and artifacts of which each of the principals sees another part. Everything goes through the API. */
export async function makeSightWorld(api: Client): Promise<SightWorld> {
  const whispers = await makeTracker(api, WHISPERS)
  const parcels = await makeTracker(api, PARCELS)
  const crates = await makeTracker(api, { ...CRATES, hierarchy: { parent: 'whisper' } })
  const safe = await succeed(api.post(`/projects/${VAULT}/trackers`, { as: VICTOR, body: COFFERS }))
  const create = async (as: Person, tracker: number, values_by_field: object, comment?: object): Promise<number> => {
    const body = { tracker: { id: tracker }, values_by_field, ...(comment && { comment }) }
    return (await succeed(api.post('/artifacts', { as, body }))).id
  }
  const parcel = (as: Person, summary: string, more: object = {}) => create(as, parcels.id, { summary, ...more })
  const whisper = await create(MARA, whispers.id, { summary: HIDDEN_CANARY, weight: 1000 })
  const inVault = await create(VICTOR, safe.id, { summary: VAULT_CANARY })
  const only = (...groups: string[]) => ({ seen_by: { value: { granted_groups: groups, is_used_by_default: true } } })
  const parcelIds = {
    olgas: await parcel(OLGA, 'Of Olga'),
    olgasForUma: await parcel(OLGA, 'Of Olga, for Uma'),
    toms: await parcel(TOM, 'Of Tom'),
    tomsForGus: await parcel(TOM, 'Of Tom, for Gus', { carrier: ['gus'] }),
    guss: await parcel(GUS, 'Of Gus'),
    umas: await parcel(UMA, 'Of Uma'),
    forAdmins: await parcel(MARA, HIDDEN_CANARY, only('project_admins')),
    forLeads: await parcel(TOM, 'Of Tom, for leads alone'),
    deleted: await parcel(TOM, 'Gone'),
  }
  const change = (id: number, values_by_field: object, as = MARA) =>
    succeed(api.put(`/artifacts/${id}`, { as, body: { values_by_field } }))
  await change(parcelIds.olgasForUma, { carrier: ['uma'] })
  await change(parcelIds.forLeads, only('leads'))
  await succeed(api.delete(`/artifacts/${parcelIds.deleted}`, { as: MARA }))

  const child = await create(MARA, crates.id, { summary: 'Child', weight: 3 })
  const hiddenChild = await create(MARA, crates.id, { summary: HIDDEN_CANARY, weight: 500, ...only('project_admins') })
  const full = await fillCrate(api, create, crates.id, { child, hiddenChild, whisper, inVault })
  await change(whisper, {
    details: `about art #${full}`,
    links: { links: [{ id: full, type: '_is_child' }] },
  })
  const deleted = await create(MARA, crates.id, { summary: HIDDEN_CANARY, for_members: FIELD_CANARIES.members.value })
  await succeed(api.delete(`/artifacts/${deleted}`, { as: MARA }))
  return {
    parcels: { tracker: parcels, ids: parcelIds },
    crates: { tracker: crates, ids: { full, child, hiddenChild, deleted } },
    whispers: { tracker: whispers, id: whisper },
    vault: { tracker: safe.id, id: inVault },
  }
}

interface Others {
  readonly child: number
  readonly hiddenChild: number
  readonly whisper: number
  readonly inVault: number
}

/** One with a value in every field, versions that change each, and comments for few. */
async function fillCrate(
  api: Client,
  create: (as: Person, tracker: number, values: object, comment?: object) => Promise<number>,
  tracker: number,
  { child, hiddenChild, whisper, inVault }: Others,
): Promise<number> {
  const { users, members, leads, admins } = FIELD_CANARIES
  const forLeads = { body: `${COMMENT_CANARY} art #${whisper}`, format: 'commonmark', ugroups: [String(LEADS)] }
  /** Hidden in its name, in what is said of it, and in its bytes. */
  const file = (right: Right) => {
    const { value } = FIELD_CANARIES[right]
    return upload(api, ADA, { name: `${value}.txt`, description: value, content: value })
  }
  const id = await create(
    ADA,
    tracker,
    {
      summary: 'Full',
      details: `see art #${child}, art #${whisper}, art #${inVault}, parcel #${hiddenChild}`,
      for_users: users.value,
      for_members: members.value,
      for_leads: leads.value,
      for_admins: `${admins.value} art #${child}`,
      list_for_users: users.label,
      list_for_members: [members.label],
      list_for_leads: leads.label,
      list_for_admins: [admins.label],
      tags: [admins.value],
      files_for_users: [await file('users')],
      files_for_members: [await file('members')],
      files_for_leads: [await file('leads'), await file('leads')],
      files_for_admins: [await file('admins')],
      given: 'given',
      kept: 'kept',
      weight: 1,
      links: {
        links: [child, hiddenChild, whisper, inVault].map((target) => ({
          id: target,
          type: target === child || target === hiddenChild ? '_is_child' : '',
        })),
      },
    },
    forLeads,
  )
  const changes = [
    { for_users: `${users.value}!` },
    { for_members: `${members.value}!` },
    { for_leads: `${leads.value}!` },
    { for_admins: `${admins.value}!` },
    { list_for_users: 'Nothing' },
    { list_for_leads: 'Nothing' },
    { list_for_admins: [] },
    { files_for_leads: [] },
  ]
  for (const values_by_field of changes)
    await succeed(api.put(`/artifacts/${id}`, { as: ADA, body: { values_by_field } }))
  await succeed(api.put(`/artifacts/${id}`, { as: ADA, body: { comment: forLeads } }))
  return id
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
async function succeed(asked: ReturnType<Client['post']>): Promise<any> {
  const { status, text } = await asked
  if (status >= 300) throw new Error(`The world was not made: ${status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
