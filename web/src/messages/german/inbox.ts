/** Posteingang. */
export const GERMAN_INBOX = {
  'inbox.show.watched': 'Beobachtet',
  'inbox.show.snoozed': 'Zurückgestellt',
  'inbox.none.watched': 'Zu beobachteten Dingen gibt es nichts Neues.',
  'inbox.none.snoozed':
    'Nichts ist zurückgestellt. h blendet einen Eintrag bis später am Tag, morgen oder nächste Woche aus.',
  'inbox.none_in_project': 'Zu diesem Projekt gibt es nichts.',
  'inbox.project': 'Projekt',
  'inbox.all_projects': 'Alle Projekte',
  'inbox.snooze': 'Zurückstellen',
  'inbox.snooze_what': 'Zurückstellen: {title}',
  'inbox.snooze.find': 'Zurückstellen bis…',
  'inbox.snooze.later': 'Später am Tag, {when}',
  'inbox.snooze.tomorrow': 'Morgen, {when}',
  'inbox.snooze.next_week': 'Nächste Woche, {when}',
  'inbox.snoozed': 'Zurückgestellt bis {when}.',
  'inbox.snoozed_until': 'bis {when}',
  'inbox.wake_what': 'Wieder zeigen: {title}',
  'inbox.woken': 'Wird wieder gezeigt.',
} as const satisfies Readonly<Record<string, string>>
