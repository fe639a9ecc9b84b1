import { STATUS_CODES } from 'node:http'
import { english } from './english.ts'
import { type Details, REASONS } from './reasons.ts'

/** `docs/errors.md`, from the closed lists of the code. */
export function describeErrors(): string {
  const reasons = Object.entries(REASONS).map(
    ([reason, [status, when]]) => `| ${status} ${STATUS_CODES[status]} | \`${reason}\` | ${when} |`,
  )
  const causes = Object.entries(english.causes)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([cause, sentence]) => `| \`${cause}\` | ${sentence(ANY)} |`)
  return `# Errors

Every refusal has one shape, in JSON or XML:

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
Where several inputs are wrong, \`details.all\` has each of them. \`request_id\` finds the request in the server's log.

This list is made from the code by \`npm run docs\`.

## Reasons

| Status | \`reason\` | When |
|---|---|---|
${reasons.join('\n')}

## Causes

\`details.cause\` says more where several causes share one reason.

| \`cause\` | Sentence |
|---|---|
${causes.join('\n')}
`
}

/** Stands for whatever a sentence names. */
const ANY: Details = { path: '…', allowed: {}, params: new Proxy({}, { get: () => '…' }) }
