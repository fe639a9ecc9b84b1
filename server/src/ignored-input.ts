import { querySchema } from './platform/http/input.ts'
import type { IgnoredNames, Route } from './platform/http/route.ts'

/**
 * Unknown input that is not refused: an existing client sends it, and works only if it is accepted. It has no effect
 * and is named in the header `X-Waypost-Ignored`. `docs/ignored-input.md` is generated from this list. Members of
 * items of `values` that responses show are accepted as well: `trackers/field-types/value-schemas.ts`.
 */
interface IgnoredInput {
  /** The program that sends it. */
  readonly client: string
  /** Method and path, or a kind of route. */
  readonly on: readonly string[] | 'every route' | 'every GET without pages'
  /** The empty name is a stray `?=`. */
  readonly parameters?: readonly string[]
  /** Paths of members: `values[].uri`. */
  readonly members?: readonly string[]
}

const VALUE_WRITES = [
  'POST /artifacts',
  'PUT /artifacts/:id',
  'POST /artifacts/:id/copy',
  'POST /trackers/:id/artifacts/bulk',
]

export const IGNORED_INPUT: readonly IgnoredInput[] = [
  { client: 'pages that use jQuery with `cache: false`', on: 'every route', parameters: ['_'] },
  { client: 'vicenteneto/tuleap-java-api', on: 'every route', parameters: [''] },
  { client: 'jenkinsci/tuleap-api-plugin', on: 'every GET without pages', parameters: ['offset'] },
  { client: 'jenkinsci/tuleap-api-plugin', on: ['GET /users/:id/membership'], parameters: ['limit'] },
  {
    client: 'djurodrljaca/tuleap-rest-api-client',
    on: ['GET /projects/:id/user_groups'],
    parameters: ['limit'],
  },
  { client: 'djurodrljaca/tuleap-rest-api-client', on: ['GET /projects/:id/milestones'], parameters: ['order'] },
  { client: 'djurodrljaca/tuleap-rest-api-client', on: VALUE_WRITES, members: ['values[].uri'] },
  {
    client: 'AlexandrLebegue/Tuleap-Pet, cheeloung/tuleap-mcp',
    on: ['GET /projects/:id/milestones'],
    parameters: ['query'],
  },
  { client: 'cheeloung/tuleap-mcp', on: ['POST /artifact_temporary_files'], members: ['offset'] },
  { client: 'shamil2/tuleap-mcp', on: ['GET /artifacts'], parameters: ['tracker_id'] },
  {
    client: 'clients that send the payload of a creation, which the contract has for both',
    on: ['PUT /artifacts/:id'],
    members: ['tracker'],
  },
  {
    client: 'clients that send the payload of a creation again',
    on: ['PUT /svn/:id'],
    members: ['name', 'project_id'],
  },
]

/** The route with its exceptions. */
export function withIgnoredInput(route: Route): Route {
  const entries = IGNORED_INPUT.filter(({ on }) => appliesTo(on, route))
  const known = Object.keys(querySchema(route).properties)
  const ignores: IgnoredNames = {
    parameters: entries.flatMap(({ parameters = [] }) => parameters).filter((name) => !known.includes(name)),
    members: entries.flatMap(({ members = [] }) => members),
  }
  return { ...route, ignores }
}

function appliesTo(on: IgnoredInput['on'], { method, path, pages }: Route): boolean {
  if (on === 'every route') return true
  if (on === 'every GET without pages') return method === 'GET' && (pages === undefined || pages === 'whole')
  return on.includes(`${method} ${path}`)
}

/** Generates `docs/ignored-input.md`. */
export function describeIgnoredInput(): string {
  const rows = IGNORED_INPUT.map(({ client, on, parameters = [], members = [] }) => {
    const names = [
      ...parameters.map((name) => (name === '' ? 'a stray `?=`' : `parameter \`${name}\``)),
      ...members.map((name) => `member \`${name}\``),
    ]
    const where = typeof on === 'string' ? on : on.map((each) => `\`${each.replaceAll(/:(\w+)/g, '{$1}')}\``).join(', ')
    return `| ${names.join(', ')} | ${where} | ${client} |`
  })
  return `# Unknown input

A request with a parameter or a member that its route does not have is refused, by every operation of
\`openapi.json\`. So a misspelt \`?dryrun=true\` deletes nothing, and a misspelt \`scope\` makes no key with all scopes.

| Input | Refusal |
|---|---|
| an unknown query parameter, with or without a value | 400 \`parameter_unknown\` |
| an unknown member of a body, at any level, in JSON, XML or a form; \`__proto__\` everywhere | 400 \`member_unknown\`; in the document of a tracker, where everything wrong is listed, the same in \`details.all\` |
| an XML attribute, except the \`key\` of an \`entry\` | 400 \`member_unknown\`, with the path \`name.@attribute\` |
| a body with members where the route takes none, also on GET | 400 \`member_unknown\` |
| \`dry_run\` on a request that writes nothing | 400 \`parameter_unknown\` |
| an empty flag, such as \`?dry_run=\` or \`?notify=\` | 400 \`parameter_invalid\` |

\`details.path\` names the input, and \`details.nearest\` the known name that is most similar, if one is. Where several
names are unknown, \`details.all\` has each. Any other known parameter without a value counts as absent.

## Exceptions

Existing clients send the following and work only if it is accepted. It has no effect, and the header
\`X-Waypost-Ignored\` of the response names it; a bulk write has \`ignored\` in the answer of the line.

| Input | Routes | Sent by |
|---|---|---|
| members of a value as responses show it: \`label\`, \`type\`, \`values\`, \`links[].uri\` … | items of \`values\` and \`values_by_field\` | clients that send back what they have read |
| members of people and groups as responses show them | \`settings.email_notifications\` of \`PUT /svn/{id}\`, \`POST /svn\` | clients that send back what they have read |
${rows.join('\n')}

This list is generated from \`server/src/ignored-input.ts\` by \`npm run docs\`.
`
}
