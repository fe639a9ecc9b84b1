/** What an answer must match to be this refusal. */
export function refused(status: number, reason: string, details?: object) {
  return { status, json: { error: { code: status, reason, ...(details && { details }) } } }
}

/** The body without what differs between any two answers. */
export function masked({ text }: { text: string }): string {
  return text.replaceAll(/"request_id":"[^"]*"/g, '')
}

/** In order of size: which of several requests at once got which is chance. */
export function statusesOf(answers: readonly { status: number }[]): number[] {
  return answers.map(({ status }) => status).toSorted((one, other) => one - other)
}
