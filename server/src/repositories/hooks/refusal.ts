/** Why a commit is not taken: the name of a text in the catalogue, and what to fill in. */
export class Refusal extends Error {
  readonly places: Record<string, string>

  constructor(reason: string, places: Record<string, string> = {}) {
    super(`svn.refused.${reason}`)
    this.places = places
  }
}
