import type { PEEK } from '../peek.ts'

export const GERMAN_PEEK = {
  'peek.previous': 'Zurück',
  'peek.next': 'Weiter',
  'peek.copy_link': 'Link kopieren',
  'peek.link_copied': 'Der Link zu {name} wurde kopiert.',
  'peek.open': 'Ganze Seite öffnen',
  'peek.width': 'Breite der Vorschau',
  'peek.absent': 'Vielleicht wurde es gelöscht, oder der Zugriff fehlt.',
  'peek.facts': 'Wichtigste Angaben',
  'peek.activity': 'Aktivität',
  'peek.all_activity': 'Ganzer Verlauf',
  'peek.comment': 'Kommentieren …',
} as const satisfies Record<keyof typeof PEEK, string>
