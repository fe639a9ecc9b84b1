import type { HelpTopic } from '../help-topic.ts'

export const GERMAN_KEYS_HELP: HelpTopic = {
  title: 'Tasten',
  lead: 'Alles lässt sich mit der Tastatur bedienen. `?` zeigt diese Tasten auf jeder Seite.',
  sections: [
    {
      title: 'So wirken Tasten',
      text: 'Einzelne Buchstaben wirken, solange kein Eingabefeld den Fokus hat. Tasten wie `g h` werden nacheinander gedrückt. In Dialogen und Menüs bestätigt Enter, und Escape schließt. Auf einem Mac wirkt Command wie Ctrl.',
    },
    {
      title: 'Neben einer Liste',
      text: 'Die Leertaste zeigt das Artefakt einer Zeile, einer Karte oder eines Treffers neben der Liste; auf einem breiten Bildschirm rückt die Liste zur Seite. `j` und `k` gehen weiter, und die Vorschau folgt. Werte lassen sich dort ändern, `m` schreibt einen Kommentar, Enter öffnet die Seite, Escape schließt die Vorschau. Tab führt aus der Liste in die Vorschau.',
    },
    {
      title: 'In einer Auswahl',
      text: 'Tippen grenzt die Werte ein. Die Pfeiltasten bewegen, Enter übernimmt, die Leertaste wählt mehrere Werte, Escape lässt den Wert, wie er war.',
    },
  ],
}
