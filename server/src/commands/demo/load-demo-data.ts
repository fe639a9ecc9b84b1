import { createAccessKey } from '../../accounts/access-keys/create-access-key.ts'
import { createUser } from '../../accounts/users/create-user.ts'
import { addArtifactFavourite, addTrackerFavourite } from '../../artifacts/personal-lists/add-favourite.ts'
import { recordArtifactSeen, recordTrackerSeen } from '../../artifacts/personal-lists/record-seen.ts'
import { backdateAudit } from '../../platform/database/backdate-audit.ts'
import type { Context } from '../../platform/operation/context.ts'
import { setBanner } from '../../projects/banner/set-banner.ts'
import { createProject } from '../../projects/create-project.ts'
import { replaceGroupUsers } from '../../projects/groups/replace-group-users.ts'
import { createTracker } from '../../trackers/create-tracker.ts'
import { createLinkType } from '../../trackers/link-types/create-link-type.ts'
import { callRoute, OPERATOR } from '../call-route.ts'
import { getKeyIdentifier } from '../key.ts'
import { DEMO_BUG_LIST, DOUBLE_CHARGE, DOUBLE_CHARGE_TASKS } from './demo-bugs.ts'
import { momentOf } from './demo-calendar.ts'
import { loadDemoDashboard } from './demo-dashboard.ts'
import { DEMO_MOBILE_BUGS } from './demo-mobile.ts'
import { DEMO_PEOPLE, DEMO_TEAM, type DemoPerson, demoPassword } from './demo-people.ts'
import { loadDemoRepository } from './demo-repository.ts'
import { createDemoScene, type DemoPlaces, type DemoScene, idOf } from './demo-scene.ts'
import { DEMO_STORY_LIST } from './demo-stories.ts'
import { DEMO_TASKS, FIRST_TASKS } from './demo-tasks.ts'
import { planDemoChanges, playChanges } from './demo-timeline.ts'
import { DEMO_ARTIFACTS, DEMO_BUGS, DEMO_LINK_TYPE, DEMO_STORIES, DEMO_TRACKER } from './demo-trackers.ts'

export interface DemoAccount {
  username: string
  password: string
  key: string
  site_admin: boolean
}

const PROJECTS = [
  {
    shortname: 'payments',
    label: 'Payments',
    description: 'Checkout, refunds and payouts: everything between the shopper and the bank.',
    is_public: true,
  },
  {
    shortname: 'mobile-app',
    label: 'Mobile app',
    description: 'The app of merchants for Android and iOS.',
    is_public: true,
  },
  {
    shortname: 'security-review',
    label: 'Security review',
    description: 'Findings of the yearly review. Only members know that this project exists.',
    is_public: false,
  },
]

/** How long ago the projects were created, in working days. */
const FIRST_DAY = 22

/** An engineering team, five weeks after its start: people, projects, trackers, and what has happened in them. */
export async function loadDemoData(context: Context): Promise<DemoAccount[]> {
  const scene = createDemoScene(context)
  scene.moveTo(momentOf(scene.now, FIRST_DAY, 0, 1))
  const accounts = await createAccounts(scene, DEMO_PEOPLE)
  await callRoute(scene.context, createLinkType, OPERATOR, { body: DEMO_LINK_TYPE })
  const [payments = 0, mobile = 0] = await createProjects(scene)
  const makeTracker = async (project: number, body: object) =>
    idOf(await scene.call('mara', createTracker, { params: { id: project }, body }))
  const places = {
    tasks: await makeTracker(payments, DEMO_TRACKER),
    bugs: await makeTracker(payments, DEMO_BUGS),
    stories: await makeTracker(payments, DEMO_STORIES),
  }
  const mobileBugs = await makeTracker(mobile, DEMO_BUGS)

  const task = { tracker: places.tasks, title: 'summary', text: 'details', due: 'due' }
  const other = { title: 'title', text: 'description', due: 'due_date' }
  await playChanges(scene, [
    ...planDemoChanges(scene, task, [...firstTasks(), ...DEMO_TASKS, ...DOUBLE_CHARGE_TASKS]),
    ...planDemoChanges(scene, { ...other, tracker: places.bugs }, DEMO_BUG_LIST),
    ...planDemoChanges(scene, { ...other, tracker: places.stories }, DEMO_STORY_LIST),
    ...planDemoChanges(scene, { ...other, tracker: mobileBugs }, DEMO_MOBILE_BUGS),
  ])
  const doubleCharge = scene.artifacts.get(DOUBLE_CHARGE)?.id ?? 0
  await scene.call('mara', setBanner, {
    params: { id: payments },
    body: { message: 'Release 4.2 is cut on Friday. Only fixes until then.' },
  })
  await loadDemoRepository(scene, { id: payments, shortname: 'payments' })
  await loadDemoDashboard(scene, payments, places)
  await markPlaces(scene, { ...places, doubleCharge })
  // Otherwise the activity of a project would begin with its members.
  const ownerUrl = context.config.WAYPOST_MIGRATE_URL
  if (ownerUrl) await backdateAudit(ownerUrl, momentOf(scene.now, FIRST_DAY, 0, 1))
  return accounts
}

/** A new site: nothing but its administrator. */
export function loadEmptySite(context: Context): Promise<DemoAccount[]> {
  return createAccounts(
    createDemoScene(context),
    DEMO_PEOPLE.filter(({ site_admin }) => site_admin),
  )
}

async function createAccounts(scene: DemoScene, people: readonly DemoPerson[]): Promise<DemoAccount[]> {
  const accounts: DemoAccount[] = []
  for (const { username, real_name, site_admin } of people) {
    const password = demoPassword(username)
    const email = `${username}@localhost.localdomain`
    await callRoute(scene.context, createUser, OPERATOR, {
      body: { username, real_name, email, password, invite: false, is_site_admin: site_admin },
    })
    const made = await scene.call(username, createAccessKey, { body: { description: 'demo' } })
    accounts.push({ username, password, key: getKeyIdentifier(made), site_admin })
  }
  return accounts
}

/** The projects are Mara's; the team are members of all of them. */
async function createProjects(scene: DemoScene): Promise<number[]> {
  const ids: number[] = []
  for (const project of PROJECTS) {
    const id = idOf(await scene.call('mara', createProject, { body: { ...project, template_id: 100 } }))
    const user_references = DEMO_TEAM.map((username) => ({ username }))
    await scene.call('mara', replaceGroupUsers, { params: { id: `${id}_3` }, body: { user_references } })
    ids.push(id)
  }
  return ids
}

/** Favourites, and what Mara and Tom have opened recently. */
async function markPlaces(scene: DemoScene, { tasks, bugs, stories, doubleCharge }: DemoPlaces): Promise<void> {
  for (const login of ['mara', 'tom']) {
    for (const id of [tasks, bugs]) await scene.call(login, addTrackerFavourite, { params: { id } })
    await scene.call(login, addArtifactFavourite, { params: { id: doubleCharge } })
    for (const id of [stories, bugs, tasks]) await scene.call(login, recordTrackerSeen, { params: { id } })
    await scene.call(login, recordArtifactSeen, { params: { id: doubleCharge } })
  }
}

/** The first tasks, with the values of the manual. */
function firstTasks() {
  return FIRST_TASKS.map((item, at) => ({ ...item, values: DEMO_ARTIFACTS[at] ?? {} }))
}
