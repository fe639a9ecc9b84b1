import { isJsonList, isJsonObject, type JsonValue } from '../../platform/openapi/openapi-schemas.ts'
import { FIELD_TYPES } from '../field-types/field-types.ts'
import { DEFINITION_EXAMPLES } from './definition-examples.ts'
import { definitionPaths } from './definition-json-schema.ts'
import { DEFINITION_MEMBERS } from './definition-members.ts'

/** Generates `docs/trackers.md`. */
export function describeDefinition(): string {
  const rows = definitionPaths().map((path) => `| \`${path}\` | ${DEFINITION_MEMBERS[path] ?? ''} |`)
  const examples = DEFINITION_EXAMPLES.map(({ title, text, method, definition }) => {
    const address = method === 'POST' ? 'POST /projects/{id}/trackers' : 'PUT /trackers/{id}/definition'
    return `### ${title}\n\n\`${address}\`. ${text}\n\n\`\`\`json\n${JSON.stringify(definition, null, 2)}\n\`\`\`\n`
  })
  return `# Tracker definitions

A tracker is described by one JSON document without ids: it can be written by hand, kept under version control, copied
to another installation, and put again. This page has every member of that language, and examples that a test runs.
It is generated from the code by \`npm run docs\`.

| To | Call |
|---|---|
| create a tracker | \`POST /projects/{id}/trackers\` |
| begin with a template | \`GET /tracker_templates\`, and \`{"template": "bugs"}\` in \`POST /projects/{id}/trackers\` |
| see what would be created or refused | \`POST /projects/{id}/trackers/plan\` |
| read the definition of a tracker | \`GET /trackers/{id}/definition\` |
| change a tracker | \`PUT /trackers/{id}/definition\`; with \`dry_run=true\` it answers the plan |
| complete and check a document in an editor | the JSON Schema at \`/api/schemas/tracker-definition.json\` |

Names refer to each other within the document: fields by \`name\`, list values by \`key\`, trackers by \`item_name\`, groups by
their short name. A refused document names its problems with their JSON Pointers, many at a
time; some are found only when the others are mended.

In a change, elements are matched by \`name\` and list values by \`key\`. An element that is missing becomes unused, a missing
list value hidden; \`prune=true\` deletes those that were never used. To rename, give \`renamed_from\` in that one request.
Members that are absent have their default.

## Members

\`elements[]\` stands for elements at any depth, and for those of \`unused_elements\`. \`conditions\` and \`actions\` of
\`workflow.transitions[]\` are those of \`workflow.states[]\`, except \`frozen_fields\` and \`hidden_fieldsets\`, which belong to
states.

| Member | Meaning |
|---|---|
${rows.join('\n')}

## Types of elements

| \`type\` | Kind | \`properties\`, with their defaults |
|---|---|---|
${FIELD_TYPES.map(({ type, kind, properties }) => `| \`${type}\` | ${kind} | ${describeProperties(JSON.parse(JSON.stringify(properties)))} |`).join('\n')}

## Examples

${examples.join('\n')}`
}

function describeProperties(schema: JsonValue): string {
  const { properties } = isJsonObject(schema) ? schema : {}
  return Object.entries(isJsonObject(properties) ? properties : {})
    .map(([name, each]) => {
      const { default: initial } = isJsonObject(each) ? each : {}
      const isShown = initial !== undefined && initial !== '' && !isJsonList(initial)
      return isShown ? `\`${name}\`: \`${JSON.stringify(initial)}\`` : `\`${name}\``
    })
    .join(', ')
}
