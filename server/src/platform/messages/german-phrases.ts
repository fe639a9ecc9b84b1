import type { PhraseName } from './english.ts'

export const germanPhrases = {
  'phrase.from_to': ': von {minimum} bis {maximum}',
  'phrase.at_least': ': mindestens {minimum}',
  'phrase.at_most': ': höchstens {maximum}',
  'phrase.at_column': ' in Spalte {column}',
  'phrase.at_line': ' (Zeile {line}, Spalte {column})',
  'phrase.did_you_mean': '; war „{nearest}“ gemeint?',
  'phrase.expected': '; erwartet: {names}',
  'phrase.transition_unknown': 'kann diesen Wert jetzt nicht haben',
  'phrase.transition_to_empty': 'kann hier nicht leer sein',
  'phrase.transition_first': 'kann nicht mit {to} beginnen',
  'phrase.transition': 'kann nicht von {from} zu {to} wechseln',
  'phrase.this_field': 'Dieses Feld',
  'phrase.needed_field': 'dieses Feld',
  'phrase.for_field': 'dieses Feld',
  'phrase.another_field': 'einem anderen Feld',
  'phrase.this_operator': 'diesem Operator',
  'phrase.this_function': 'diese Funktion',
} as const satisfies Record<PhraseName, string>
