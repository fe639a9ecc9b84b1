/** Texts of pages that show an earlier state. */
export const TIME_TRAVEL = {
  'past.open': 'Show an earlier state',
  'past.banner': 'As it was on {when}.',
  'past.read_only': 'Read only.',
  'past.marked':
    '{count, plural, =0 {Nothing is different today.} one {One value is different today.} other {# values are different today.}}',
  'past.version': 'Version {version} of {latest}',
  'past.slider': 'Version to show',
  'past.earlier': 'Earlier change',
  'past.later': 'Later change',
  'past.back': 'Back to now',
  'past.now': 'now',
  'past.differs': 'Different today',
  'past.compare': 'Compare with today',
  'past.call': 'Read this version',
} as const
