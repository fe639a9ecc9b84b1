import type { englishTexts } from './english-texts.ts'

export const germanTexts = {
  'foreign_link.title': 'Dieser Link kommt von einer anderen Website',
  'foreign_link.go_on': 'Weiter',
  'group.all_users': 'Alle, auch ohne Anmeldung',
  'group.registered_users': 'Registrierte Konten',
  'group.authenticated_users': 'Registrierte und eingeschränkte Konten',
  'group.nobody': 'Niemand',
  'group.project_members': 'Projektmitglieder',
  'group.project_admins': 'Projektverwaltung',
  'group.svn_admins': 'Subversion-Verwaltung',
  'svn.refused.repository': 'Dieses Repository gibt es nicht mehr, oder sein Projekt ist nicht aktiv.',
  'svn.refused.empty_message': 'Ein Commit braucht eine Nachricht.',
  'svn.refused.no_reference':
    'Die Nachricht muss nennen, worum es in dem Commit geht, zum Beispiel art #12: etwas, das es gibt, in einem zugänglichen Projekt.',
  'svn.refused.no_artifact':
    'Die Nachricht muss ein sichtbares Artefakt nennen, das in einem dieser Status ist: {states}.',
  'svn.refused.state':
    'Die Nachricht muss ein Artefakt nennen, das in einem dieser Status ist: {states}. Sie nennt {found}.',
  'svn.refused.no_such_state':
    'Dieser Commit würde {name} zu {state} bewegen, doch der Tracker kennt diesen Status nicht.',
  'svn.refused.move': 'Dieser Commit würde {name} zu {state} bewegen, was nicht möglich ist: {why}',
  'svn.refused.move_elsewhere':
    'Dieser Commit würde {name} zu {state} bewegen, was nicht möglich ist: {why} Möglich ist von dort: {allowed}.',
  'svn.refused.immutable':
    '{path} ist ein Tag oder liegt in einem Tag: Was dort liegt, darf nicht geändert oder entfernt werden.',
  'svn.refused.inside_tag': '{path} würde innerhalb eines Tags hinzugefügt; nur ganze Tags dürfen hinzugefügt werden.',
  'svn.refused.path': 'Ein Pfad enthält unzulässige Zeichen.',
  'svn.refused.file_size': '{path} ist größer als {limit} MB.',
  'svn.refused.message_change': 'Die Nachrichten alter Revisionen dürfen in diesem Repository nicht geändert werden.',
  'svn.refused.property':
    'Von den Eigenschaften einer Revision darf nur die Nachricht geändert werden, und nur im Wortlaut.',
  'svn.refused.failed': 'Waypost konnte das gerade nicht prüfen. Bitte erneut versuchen.',
  'user.anonymous': 'Anonym',
  'tracker.cannot_create.no_title': 'Der Tracker hat keinen Titel.',
  'tracker.cannot_create.title_not_submittable': 'Der Titel darf nicht angegeben werden.',
  'tracker.cannot_create.field_required': '{label} ist ebenfalls erforderlich.',
  'tracker.cannot_create.another_required': 'Ein weiteres Feld ist ebenfalls erforderlich.',
  'plan.no_first_state': 'Der Workflow hat keinen Anfang: Mit einem Wert seines Feldes kann nichts angelegt werden.',
  'trigger.comment': 'Durch einen Auslöser geändert, weil sich ein untergeordnetes Artefakt geändert hat.',
  'activity.project_created': 'hat das Projekt angelegt',
  'activity.project_changed': 'hat das Projekt geändert',
  'activity.project_changed.status': 'hat den Status des Projekts geändert',
  'activity.project_changed.banner': 'hat das Banner des Projekts geändert',
  'activity.project_changed.services': 'hat die Dienste des Projekts geändert',
  'activity.project_changed.user_groups': 'hat die Gruppen des Projekts geändert',
  'activity.member_added': 'hat {user} hinzugefügt',
  'activity.member_removed': 'hat {user} entfernt',
} as const satisfies Record<keyof typeof englishTexts, string>
