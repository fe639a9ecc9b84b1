import type { SendRequest } from './send.ts'
import { BUGS_TRACKER, EPICS_TRACKER, STORIES_TRACKER } from './tracker-of-clients.ts'

/** The data for the clients: one user, one project with three trackers, two bugs, one of them with a file. */
export interface ClientWorld {
  readonly username: string
  readonly password: string
  readonly key: string
  readonly userId: number
  readonly shortname: string
  readonly projectId: number
  readonly bugs: MadeTracker
  readonly epics: number
  readonly stories: number
  /** Has a file, a comment, a link to `second`, and a value in each field. */
  readonly first: number
  readonly second: number
  readonly fileId: number
  /** A saved search over the bugs. */
  readonly reportId: number
}

interface MadeTracker {
  readonly id: number
  /** By the name of the field. */
  readonly fields: Readonly<Record<string, number>>
  /** By the label of the value of `status`. */
  readonly statuses: Readonly<Record<string, number>>
}

export const FILE_BYTES = 'The handle is loose.\n'

/** The header that signs in by HTTP Basic. */
export function basicCredentials(login: string, password: string): Readonly<Record<string, string>> {
  return { Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` }
}

/** Created over the API with the credentials of a site administrator, so it works on any server. */
export async function makeClientWorld(
  send: SendRequest,
  admin: Readonly<Record<string, string>>,
  names: { user: string; project: string },
) {
  const password = `a-long-password-of-${names.user}`
  const user = await made(send, admin, '/api/users', {
    username: names.user,
    real_name: 'Carla Client',
    email: `${names.user}@localhost.localdomain`,
    password,
    invite: false,
    is_site_admin: true,
  })
  const basic = basicCredentials(names.user, password)
  const key = String(
    (await made(send, basic, '/api/access_keys', { description: 'clients', scopes: ['write:rest'] })).identifier,
  )
  const own = { 'X-Auth-AccessKey': key }
  const project = await made(send, own, '/api/projects', {
    shortname: names.project,
    label: `Clients of ${names.project}`,
    description: 'What the public clients look at.',
    is_public: false,
    template_id: 100,
  })
  const make = async (definition: object) =>
    trackerOf(await made(send, own, `/api/projects/${project.id}/trackers`, definition))
  const [bugs, epics, stories] = [await make(BUGS_TRACKER), await make(EPICS_TRACKER), await make(STORIES_TRACKER)]
  const second = await made(send, own, '/api/artifacts', {
    tracker: { id: bugs.id },
    values_by_field: { summary: 'Paint peels', status: 'New', assigned_to: names.user, change_request: 'Yes' },
  })
  const file = await made(send, own, '/api/artifact_temporary_files', {
    name: 'handle.txt',
    mimetype: 'text/plain',
    content: Buffer.from(FILE_BYTES).toString('base64'),
    description: 'How loose it is',
  })
  const first = await made(send, own, '/api/artifacts', {
    tracker: { id: bugs.id },
    values_by_field: {
      summary: 'The handle is loose',
      details: `Seen beside art #${second.id}.`,
      status: 'New',
      severity: 'High',
      change_request: 'Yes',
      change_request_status: 'Asked',
      approved_hours: 2.5,
      technical_details: 'M8',
      assigned_to: names.user,
      tags: ['fragile'],
      due: '2026-12-24',
      points: 3,
      attachments: [file.id],
      links: [{ id: second.id }],
    },
  })
  await changed(send, own, `/api/artifacts/${first.id}`, { values: [], comment: { body: 'Seen.', format: 'text' } })
  const report = await made(send, own, `/api/trackers/${bugs.id}/tracker_reports`, {
    label: 'All bugs',
    public: true,
    criteria: [{ field: 'status' }],
    renderers: [{ type: 'table', label: 'Table', columns: ['summary'] }],
  })
  const world: ClientWorld = {
    username: names.user,
    password,
    key,
    userId: user.id,
    shortname: names.project,
    projectId: project.id,
    bugs,
    epics: epics.id,
    stories: stories.id,
    first: first.id,
    second: second.id,
    fileId: file.id,
    reportId: report.id,
  }
  return world
}

async function made(send: SendRequest, headers: Record<string, string>, path: string, body: object) {
  const answer = await send({ method: 'POST', path, headers, json: body })
  if (answer.status !== 201) throw new Error(`${path} was not made: ${answer.status} ${answer.text}`)
  return answer.json
}

async function changed(send: SendRequest, headers: Record<string, string>, path: string, body: object) {
  const answer = await send({ method: 'PUT', path, headers, json: body })
  if (answer.status !== 200) throw new Error(`${path} was not changed: ${answer.status} ${answer.text}`)
}

interface FieldJson {
  readonly name: string
  readonly field_id: number
  readonly values: readonly { readonly id: number; readonly label: string }[] | null
}

function trackerOf(json: { id: number; fields: readonly FieldJson[] }): MadeTracker {
  const statuses = json.fields.find(({ name }) => name === 'status')?.values ?? []
  return {
    id: json.id,
    fields: Object.fromEntries(json.fields.map(({ name, field_id }) => [name, field_id])),
    statuses: Object.fromEntries(statuses.map(({ label, id }) => [label, id])),
  }
}
