import { createAccessKey } from '../accounts/access-keys/create-access-key.ts'
import { createUser } from '../accounts/users/create-user.ts'
import { findViewer } from '../accounts/sign-in/find-viewer.ts'
import { createArtifact } from '../artifacts/create-artifact.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { createProject } from '../projects/create-project.ts'
import { setBanner } from '../projects/banner/set-banner.ts'
import { replaceGroupUsers } from '../projects/groups/replace-group-users.ts'
import { createTracker } from '../trackers/create-tracker.ts'
import { createLinkType } from '../trackers/link-types/create-link-type.ts'
import { callRoute, OPERATOR } from './call-route.ts'
import { DEMO_ARTIFACTS, DEMO_LINK_TYPE, DEMO_TRACKER } from './demo-tracker.ts'
import { getKeyIdentifier } from './key.ts'

export interface DemoAccount {
  username: string
  password: string
  key: string
  site_admin: boolean
}

const PEOPLE = [
  { username: 'ada', real_name: 'Ada Admin', site_admin: true },
  { username: 'mara', real_name: 'Mara Keller', site_admin: false },
  { username: 'tom', real_name: 'Tom Tiller', site_admin: false },
  { username: 'olga', real_name: 'Olga Outside', site_admin: false },
]

const PROJECTS = [
  { shortname: 'orchard', label: 'Orchard', description: 'Fruit logistics, from tree to table.', is_public: true },
  { shortname: 'harbour', label: 'Harbour', description: 'Ships, cranes and their timetables.', is_public: true },
  { shortname: 'vault', label: 'Vault', description: 'Only members know that this exists.', is_public: false },
]

/** A small demo: four people, three projects of Mara's with Tom as a member, a link type, a tracker with artifacts. */
export async function loadDemoData(context: Context): Promise<DemoAccount[]> {
  const accounts: DemoAccount[] = []
  for (const { username, real_name, site_admin } of PEOPLE) {
    const password = `demo-password-of-${username}`
    const email = `${username}@localhost.localdomain`
    await callRoute(context, createUser, OPERATOR, {
      body: { username, real_name, email, password, invite: false, is_site_admin: site_admin },
    })
    const owner = await findViewer(context, username)
    const made = await callRoute(context, createAccessKey, owner, { body: { description: 'demo' } })
    accounts.push({ username, password, key: getKeyIdentifier(made), site_admin })
  }
  await callRoute(context, createLinkType, OPERATOR, { body: DEMO_LINK_TYPE })
  const mara = await findViewer(context, 'mara')
  for (const project of PROJECTS) {
    const made = await callRoute(context, createProject, mara, { body: { ...project, template_id: 100 } })
    const id = idOf(made)
    await callRoute(context, replaceGroupUsers, mara, {
      params: { id: `${id}_3` },
      body: { user_references: [{ username: 'mara' }, { username: 'tom' }] },
    })
    if (project.shortname === 'orchard') await loadOrchard(context, mara, id)
  }
  return accounts
}

async function loadOrchard(context: Context, mara: Viewer, id: number): Promise<void> {
  await callRoute(context, setBanner, mara, { params: { id }, body: { message: 'Harvest begins on Monday.' } })
  const tracker = await callRoute(context, createTracker, mara, { params: { id }, body: DEMO_TRACKER })
  let before: number | undefined
  for (const values of DEMO_ARTIFACTS) {
    const links = before === undefined ? [] : [{ id: before, type: DEMO_LINK_TYPE.shortname }]
    const body = { tracker: { id: idOf(tracker) }, values_by_field: { ...values, links: { links } } }
    before = idOf(await callRoute(context, createArtifact, mara, { body }))
  }
}

function idOf(answer: unknown): number {
  return typeof answer === 'object' && answer !== null && 'id' in answer ? Number(answer.id) : 0
}
