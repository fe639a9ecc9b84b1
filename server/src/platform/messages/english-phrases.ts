/** Parts of error messages. */
export const englishPhrases = {
  'phrase.from_to': ': from {minimum} to {maximum}',
  'phrase.at_least': ': {minimum} at least',
  'phrase.at_most': ': {maximum} at most',
  'phrase.at_column': ' at column {column}',
  'phrase.did_you_mean': '; did you mean "{nearest}"?',
  'phrase.expected': '; expected {names}',
  'phrase.transition_unknown': 'cannot have this value now',
  'phrase.transition_to_empty': 'cannot be empty here',
  'phrase.transition_first': 'cannot begin with {to}',
  'phrase.transition': 'cannot go from {from} to {to}',
  'phrase.this_field': 'This field',
  'phrase.needed_field': 'this field',
  'phrase.for_field': 'this field',
  'phrase.another_field': 'another field',
  'phrase.this_operator': 'this',
  'phrase.this_function': 'this function',
} as const satisfies Record<string, string>
