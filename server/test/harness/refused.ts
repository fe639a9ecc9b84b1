/** A matcher for this error response. */
export function refused(status: number, reason: string, details?: object) {
  return { status, json: { error: { code: status, reason, ...(details && { details }) } } }
}

/** The body without request-specific parts. */
export function masked({ text }: { text: string }): string {
  return text.replaceAll(/"request_id":"[^"]*"/g, '')
}

/** Sorted: the order of concurrent requests is random. */
export function statusesOf(answers: readonly { status: number }[]): number[] {
  return answers.map(({ status }) => status).toSorted((one, other) => one - other)
}
