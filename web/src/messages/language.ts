/** The languages of the pages, by tag. English is part of the scripts; others are loaded. */
export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

const STORAGE_KEY = 'waypost.language'
const isBrowser = 'document' in globalThis
/** Before the pages put their own language there. */
const siteLanguage = isBrowser ? document.documentElement.lang : ''

/** The language of the account, as stored at its last visit; else that of the browser, else that of the site. */
export const language: Language = findLanguage()

/** The locale of numbers and dates: that of the browser, with its region, if it has the language of the page. */
export const locale: string = browserLanguages().find((tag) => toLanguage(tag) === language) ?? language

/** Stores the language of the account; null: that of the browser. True if the page has to be loaded again. */
export function storeLanguage(tag: string | null): boolean {
  if (tag === null) localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, tag)
  return findLanguage() !== language
}

function findLanguage(): Language {
  const stored = isBrowser ? localStorage.getItem(STORAGE_KEY) : null
  // The server names the language of the site on the document, if it has none of the browser.
  const wanted = [...(stored === null ? [] : [stored]), ...browserLanguages(), siteLanguage]
  return wanted.map(toLanguage).find((each) => each !== undefined) ?? 'en'
}

/** None outside a browser. */
function browserLanguages(): readonly string[] {
  return isBrowser ? navigator.languages : []
}

function toLanguage(tag: string): Language | undefined {
  return LANGUAGES.find((each) => each === tag.toLowerCase().split('-')[0])
}
