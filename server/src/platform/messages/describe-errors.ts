import { STATUS_CODES } from 'node:http'
import { errorMessage } from './catalogue.ts'
import { english } from './english.ts'
import { type Cause, type Details, REASONS } from './reasons.ts'

/** Generates `docs/errors.md` from the closed lists of reasons and causes. */
export function describeErrors(): string {
  const reasons = Object.entries(REASONS).map(
    ([reason, [status, when]]) => `| ${status} ${STATUS_CODES[status]} | \`${reason}\` | ${when} |`,
  )
  const causes = Object.keys(english.causes)
    .filter(isCause)
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((cause) => `| \`${cause}\` | ${exampleMessage(cause)} |`)
  return `# Errors

Every error has one shape, in JSON or XML:

\`\`\`json
{
  "error": {
    "code": 400,
    "message": "Bad Request: \`limit\` is out of range: from 0 to 50.",
    "i18n_error_message": "\`limit\` is out of range: from 0 to 50.",
    "reason": "parameter_out_of_range",
    "details": { "path": "limit", "rule": "maximum", "allowed": { "minimum": 0, "maximum": 50 } },
    "request_id": "01hq3v7k2m"
  }
}
\`\`\`

Programs rely on \`code\` and \`reason\`. \`message\` is English, \`i18n_error_message\` is in the language of the caller.
Where several inputs are wrong, \`details.all\` has each of them. \`details.allowed\` has the values or bounds that are
accepted instead (at most 50 values of a list, only those that the caller may see), \`details.nearest\` the known name that
is closest to the given one. \`request_id\` finds the request in the server's log (level \`info\`); it is the
\`X-Request-Id\` of the request if that has 1 to 64 letters, digits, \`.\`, \`_\` or \`-\`, else a random one, also where
the headers cannot be read.

This list is generated from the code by \`npm run docs\`.

## Reasons

| Status | \`reason\` | When |
|---|---|---|
${reasons.join('\n')}

## Causes

\`details.cause\` is more specific where several causes share one reason.

| \`cause\` | Sentence |
|---|---|
${causes.join('\n')}
`
}

function isCause(name: string): name is Cause {
  return Object.hasOwn(english.causes, name)
}

/** The sentence of a cause, with a placeholder also where it says something else if a value is absent. */
function exampleMessage(cause: Cause): string {
  const message = errorMessage(english, 'rule_violated', { ...ANY, cause })
  return message.replace('at column 1', 'at column …').replace(' This field', ' …')
}

/** Placeholder for every value that a message names. */
const ANY: Details = { path: '…', allowed: {}, params: new Proxy({}, { get: () => '…' }) }
