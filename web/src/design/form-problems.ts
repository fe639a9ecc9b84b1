import type { Failure } from '@waypost/sdk/answer'

interface FormProblemAt {
  readonly path?: string | undefined
  readonly reason: string
}

/** The reason why the server refuses a member of the body; undefined if it does not. */
export function problemReason(failure: Failure | undefined, path: string): string | undefined {
  return failure && problemsIn(failure).find((problem) => problem.path === path)?.reason
}

export function hasProblemAt(failure: Failure, paths: readonly string[]): boolean {
  return paths.some((path) => problemReason(failure, path) !== undefined)
}

/** Moves the focus to the first refused input. Inputs are named as the members of the body. */
export function focusProblem(form: HTMLFormElement | null, failure: Failure): void {
  for (const input of form?.elements ?? []) {
    if (!(input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement)) continue
    if (problemReason(failure, input.name) !== undefined) return input.focus()
  }
}

function problemsIn({ details, reason }: Failure): readonly FormProblemAt[] {
  return details.all ?? [{ path: details.path, reason }]
}
