import type { HelpTopic } from '../help-topic.ts'

export const GERMAN_SEARCH_HELP: HelpTopic = {
  title: 'Suche',
  lead: 'Artefakte, Personen, Tracker und Projekte lassen sich über die Anfänge von Wörtern finden.',
  sections: [
    {
      title: 'Die Palette',
      text: '`Ctrl K` oder `/` öffnet die Palette auf jeder Seite. Sie antwortet schon beim Tippen und zeigt zuerst, was zuletzt geöffnet wurde. Sie sucht im aktuellen Projekt; die Rücktaste im leeren Feld entfernt das Projekt.',
      rows: [
        { code: 'pump le', meaning: 'Titel, Texte und Kommentare mit Wörtern, die so beginnen', runs: 'search' },
        { code: '"pump leaks"', meaning: 'Diese Wörter nebeneinander', runs: 'search' },
        { code: '105', meaning: 'Das Artefakt mit dieser Nummer', runs: 'search' },
        { code: 'bug #105', meaning: 'Dasselbe, wie es in Texten steht', runs: 'search' },
        { code: '#105', meaning: 'Nur Artefakte mit dieser Nummer', runs: 'search' },
        { code: '@mara', meaning: 'Nur Personen' },
        { code: '> new', meaning: 'Nur Aktionen, etwa ein neues Artefakt' },
      ],
    },
    {
      title: 'Wie Wörter passen',
      text: 'Alle Wörter müssen passen, in beliebiger Reihenfolge. Groß- und Kleinschreibung und Akzente spielen keine Rolle. Wörter mit einem oder zwei Buchstaben werden nur in Titeln und Namen gesucht. Gefunden wird nur, was man lesen darf.',
    },
    {
      title: 'Die Suchseite',
      text: '`Ctrl Enter` in der Palette öffnet alle Treffer derselben Wörter; `g f` öffnet die Seite von überall. Filter grenzen die Treffer nach Projekt, Tracker, Status, zugewiesener Person und Datum ein und zeigen, wie viele Treffer jeder Wert hat. Dateien werden nach Namen gefunden, Commits nach ihrer Nachricht. Die Adresse der Seite enthält Wörter und Filter und kann weitergegeben werden. Andere sehen die Treffer, die sie lesen dürfen.',
    },
    {
      title: 'In einer Tabelle',
      text: 'Wörter im Filter einer Tabelle finden Artefakte, deren Titel oder Text alle davon enthält. Für Bedingungen an Felder gibt es die Abfragesprache.',
    },
  ],
}
