/** A word that the wording check refuses, and the reason, which says what to write instead. */
export interface BannedWord {
  readonly word: string
  readonly reason: string
}

/** Refused in comments, documents, texts and commit subjects. */
export const PERSON_WORDS: readonly BannedWord[] = [
  { word: 'he', reason: 'a person is "they", or is named by role: caller, viewer, owner, subscriber' },
  { word: 'him', reason: 'a person is "they", or is named by role' },
  { word: 'his', reason: 'a person is "they", or is named by role' },
  { word: 'himself', reason: 'a person is "they", or is named by role' },
]

/** Refused as the first word of a comment, of a sentence in a document, of a text and of a test name, unless it asks. */
export const RIDDLE_OPENERS: readonly BannedWord[] = [
  { word: 'What', reason: 'name the thing: "The rows that …"' },
  { word: 'Whatever', reason: 'name the thing: "Every value that …"' },
  { word: 'Who', reason: 'name the role: "A caller who …"' },
  { word: 'Whoever', reason: 'name the role: "Every member who …"' },
  { word: 'Whose', reason: 'name the role: "The account whose …"' },
  { word: 'Somebody', reason: 'name the role: "An administrator …"' },
  { word: 'Nobody', reason: 'say what is refused: "Invisible artifacts are omitted"' },
]

/** Refused as a word inside an identifier: `sight` also refuses `sightOf` and `inSight`. */
export const IDENTIFIER_WORDS: readonly BannedWord[] = [
  { word: 'eyes', reason: 'a viewer: the account whose permissions cut the answer' },
  { word: 'desk', reason: 'a semaphore' },
  { word: 'bell', reason: 'a wakeup' },
  { word: 'courier', reason: 'a delivery pool' },
  { word: 'sight', reason: 'access, or visibility' },
  { word: 'sights', reason: 'access, or visibility' },
  { word: 'told', reason: 'visible, notified or reported, by its meaning' },
  { word: 'stretch', reason: 'a batch of scanned events' },
  { word: 'stretches', reason: 'batches of scanned events' },
]
