import type { LINK_TYPE_MESSAGES } from '../link-types.ts'

export const GERMAN_LINK_TYPES = {
  link_types: 'Verknüpfungstypen',
  'link_types.lead': 'Die Typen, die Verknüpfungen zwischen Artefakten haben können, in allen Projekten.',
  'link_types.project_lead':
    'Die Typen, die neue Verknüpfungen in diesem Projekt haben können. Bestehende Verknüpfungen bleiben.',
  'link_types.labels': '{forward} / {reverse}',
  'link_types.built_in': 'Teil der Plattform: nicht änderbar.',
  'link_types.allowed': 'Erlaubt',
  'link_types.allowed_what': 'Verknüpfungen „{label}“ erlauben',
  'link_types.new': 'Neuer Verknüpfungstyp',
  'link_types.create': 'Verknüpfungstyp anlegen',
  'link_types.save': 'Bezeichnungen speichern',
  'link_types.made': 'Der Verknüpfungstyp „{label}“ wurde angelegt.',
  'link_types.rename': 'Bezeichnungen ändern',
  'link_types.rename_what': 'Bezeichnungen von {label} ändern',
  'link_types.renamed': 'Die Bezeichnungen von „{label}“ wurden gespeichert.',
  'link_types.forward': 'Bezeichnung',
  'link_types.forward.hint': 'Vom Artefakt mit der Verknüpfung aus gesehen, zum Beispiel „Behoben in“.',
  'link_types.reverse': 'Bezeichnung der Gegenrichtung',
  'link_types.reverse.hint': 'Vom verknüpften Artefakt aus gesehen, zum Beispiel „Behebt“.',
  'link_types.name': 'Kurzname',
  'link_types.name.hint':
    'Buchstaben a bis z und „_“, am Anfang ein Buchstabe. Abfragen benutzen ihn; er ist später nicht änderbar.',
  'link_types.name.taken': 'Es gibt bereits einen Verknüpfungstyp mit diesem Namen.',
  'link_types.delete': 'Verknüpfungstyp löschen',
  'link_types.delete_what': '{label} löschen',
  'link_types.delete_question': 'Den Verknüpfungstyp „{label}“ löschen?',
  'link_types.delete_lead':
    'Nur ein Typ ohne Verknüpfungen kann gelöscht werden. Das kann nicht rückgängig gemacht werden.',
  'link_types.deleted': 'Der Verknüpfungstyp „{label}“ wurde gelöscht.',
} as const satisfies Record<keyof typeof LINK_TYPE_MESSAGES, string>
