import type { TIME_TRAVEL } from '../time-travel.ts'

export const GERMAN_TIME_TRAVEL = {
  'past.open': 'Einen früheren Stand zeigen',
  'past.banner': 'Stand vom {when}.',
  'past.read_only': 'Nur lesbar.',
  'past.marked':
    '{count, plural, =0 {Heute ist nichts anders.} one {Ein Wert ist heute anders.} other {# Werte sind heute anders.}}',
  'past.version': 'Version {version} von {latest}',
  'past.slider': 'Gezeigte Version',
  'past.earlier': 'Frühere Änderung',
  'past.later': 'Spätere Änderung',
  'past.back': 'Zurück zu heute',
  'past.now': 'heute',
  'past.differs': 'Heute anders',
  'past.compare': 'Mit heute vergleichen',
  'past.call': 'Diese Version lesen',
  'past.table': '{tracker}: Stand vom {when}.',
  'past.table_note': 'Markierte Zellen sind heute anders.',
  'past.moment': 'Gezeigter Zeitpunkt',
  'past.date': 'Datum und Uhrzeit',
  'past.no_history': 'Hier hat sich noch nichts geändert.',
  'past.no_changes': 'Frühere Stände sind nur lesbar. Änderungen sind im heutigen Stand möglich.',
  'past.today': 'Heute',
  'past.rows': '{count, plural, one {damals # Zeile} other {damals # Zeilen}}, heute {now, number}',
  'past.opaque':
    'Der Filter dieses Berichts ist hier nicht bekannt, deshalb sind seine früheren Stände nicht zu sehen.',
  'past.none': 'Damals gab es keine Treffer.',
  'past.mark.gone': 'Seither gelöscht',
  'past.mark.no_match': 'Heute kein Treffer',
  'past.empty': 'leer',
} as const satisfies Record<keyof typeof TIME_TRAVEL, string>
