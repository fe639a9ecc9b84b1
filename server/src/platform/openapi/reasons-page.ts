import { STATUS_CODES } from 'node:http'
import { REASONS } from '../messages/reasons.ts'
import { escapeXmlText } from '../wire/xml.ts'

/** The page that the `type` of problem details leads to: each reason with its status. */
export function renderReasonsPage(): string {
  const entries = Object.entries(REASONS).map(
    ([reason, [status, when]]) =>
      `<dt id="${reason}"><code>${reason}</code></dt><dd>${status} ${STATUS_CODES[status]}: ${escapeXmlText(when)}.</dd>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Errors of the API</title></head>
<body><main><h1>Errors of the API</h1><dl>
${entries.join('\n')}
</dl></main></body></html>
`
}
