/** Why a commit is refused: a message key and its placeholder values. */
export class CommitRefusal extends Error {
  readonly places: Record<string, string>

  constructor(reason: string, places: Record<string, string> = {}) {
    super(`svn.refused.${reason}`)
    this.places = places
  }
}
