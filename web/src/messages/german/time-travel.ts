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
} as const satisfies Record<keyof typeof TIME_TRAVEL, string>
