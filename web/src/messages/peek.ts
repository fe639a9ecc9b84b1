/** Texts of the panel that shows an artifact beside a list. */
export const PEEK = {
  'peek.previous': 'Previous',
  'peek.next': 'Next',
  'peek.copy_link': 'Copy link',
  'peek.link_copied': 'Copied the link to {name}.',
  'peek.open': 'Open the full page',
  'peek.width': 'Width of the panel',
  'peek.absent': 'It may have been deleted, or you do not have access.',
  'peek.facts': 'Key facts',
  'peek.activity': 'Activity',
  'peek.all_activity': 'All activity',
  'peek.comment': 'Comment…',
} as const
