import { Type } from 'typebox'
import { readRoute } from '../platform/http/route.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { Resources } from '../platform/wire/resources.ts'

const entry = (type: string, uri = type) => ({ type, uri })
const own = (type: string, path = type) => entry(type, `users/self/${path}`)

const FOR_EVERYONE: Resources = [
  entry('projects'),
  entry('link_types'),
  entry('tracker_templates'),
  entry('registrations'),
  entry('sign_in_options'),
  entry('events'),
  entry('version'),
  entry('openapi', 'explorer/openapi.json'),
]
const FOR_ACCOUNTS: Resources = [
  entry('user', 'users/self'),
  own('access_keys'),
  own('sessions'),
  own('membership'),
  own('assigned_artifacts', 'artifacts?query=%7B%22assigned_to%22%3Atrue%7D'),
  own('submitted_artifacts', 'artifacts?query=%7B%22submitted_by%22%3Atrue%7D'),
  own('favourites'),
  own('recently_seen'),
  own('dashboard'),
  own('notification_settings'),
  own('watches'),
  own('export'),
  entry('notifications'),
  entry('notification_threads', 'notifications/threads'),
  entry('invitations'),
  entry('artifact_temporary_files'),
]
const FOR_SITE_ADMINISTRATORS: Resources = [
  entry('settings'),
  entry('audit'),
  entry('jobs'),
  entry('trash'),
  entry('archives'),
  entry('identity_providers'),
  entry('directories'),
]
const FOR_SESSIONS: Resources = [entry('session')]
/** A key that is limited to projects reads nothing else of its account. */
const FOR_LIMITED_KEYS: Resources = [entry('user', 'users/self')]

export const getIndex = readRoute({
  method: 'GET',
  path: '/',
  operationId: 'getIndex',
  summary: 'List the entry points of the API for the caller. Every answer below it lists further addresses.',
  description:
    'Begins the discovery: each entry has a type and an address. Everyone; the entries depend on the caller. It refuses nothing but invalid credentials.',
  access: 'everyone',
  answer: Type.Object({ resources: Resources }, { title: 'Index' }),
  async handle({ viewer }) {
    return { body: { resources: [...FOR_EVERYONE, ...furtherEntries(viewer)] } }
  },
})

function furtherEntries({ account_id, credential, is_site_admin }: Viewer): Resources {
  if (account_id === undefined) return []
  if (credential?.projects) return FOR_LIMITED_KEYS
  return [
    ...FOR_ACCOUNTS,
    ...(credential?.kind === 'session' ? FOR_SESSIONS : []),
    ...(is_site_admin ? FOR_SITE_ADMINISTRATORS : []),
  ]
}
