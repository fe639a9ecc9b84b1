import type { englishMails } from './english-mails.ts'

export const germanMails = {
  'mail.webhook_paused.subject': 'Ein Webhook auf {platform} ist angehalten',
  'mail.webhook_paused.text': `Guten Tag {name},

seit drei Tagen sind alle Zustellungen des Webhooks {webhook} fehlgeschlagen. Er ist deshalb jetzt angehalten:

{target}

Nichts geht verloren. Sobald der Empfänger wieder antwortet, kann der Webhook eingeschaltet werden: Er macht dort weiter, wo er aufgehört hat.
{address}api/webhooks/{webhook}
`,
  'mail.webhook_owner_lost_rights.subject': 'Ein Webhook auf {platform} braucht ein neues Konto',
  'mail.webhook_owner_lost_rights.text': `Guten Tag {name},

der Webhook {webhook} ist angehalten, weil dem Konto, dem er gehört, inzwischen nötige Rechte fehlen:

{target}

Nichts geht verloren. Wer url, as_user oder secret setzt, übernimmt den Webhook und kann ihn wieder einschalten. Er macht dort weiter, wo er aufgehört hat.
{address}api/webhooks/{webhook}
`,
  'mail.no_keys': '(keine)',
  'mail.svn_commit.subject': '{repository} r{revision} {directories}',
  'mail.svn_commit.modified': 'Geändert:',
  'mail.svn_commit.added': 'Hinzugefügt:',
  'mail.svn_commit.deleted': 'Gelöscht:',
  'mail.svn_commit.text': `Repository: {repository}
Von: {author}
Datum: {date}
Revision: {revision}
{link}

{message}
{files}`,
  'mail.access_key_created.subject': 'Ein neuer Zugriffsschlüssel für {platform}',
  'mail.access_key_created.text': `Guten Tag {name},

für das Konto {login} auf {platform} wurde ein Zugriffsschlüssel angelegt.

Beschreibung: {description}
Berechtigungen: {scopes}

Falls das jemand anders war: Schlüssel löschen und Passwort ändern.
{address}account/keys-tokens
`,
  'mail.password_reset.subject': 'Passwort für {platform}',
  'mail.password_reset.text': `Guten Tag {name},

für das Konto {login} auf {platform} wurde ein neues Passwort angefordert. Zum Festlegen diesen Link innerhalb einer Stunde öffnen:

{link}

Falls das jemand anders war, ist nichts zu tun: Das Passwort bleibt unverändert.
`,
  'mail.invite_account.subject': 'Ihr Konto auf {platform}',
  'mail.invite_account.text': `Guten Tag {name},

auf {platform} wurde ein Konto für Sie angelegt. Der Anmeldename ist {login}. Bitte innerhalb von 7 Tagen ein Passwort festlegen:

{link}
`,
  'mail.password_changed.subject': 'Das Passwort für {platform} wurde geändert',
  'mail.password_changed.text': `Guten Tag {name},

das Passwort des Kontos {login} auf {platform} wurde geändert. Andere Sitzungen und alle Tokens sind beendet.

Zugriffsschlüssel funktionieren weiterhin:
{keys}

Falls das jemand anders war: sofort ein neues Passwort anfordern und unbekannte Schlüssel löschen.
{address}account/keys-tokens
`,
  'mail.email_verification.subject': 'Adresse für {platform} bestätigen',
  'mail.email_verification.text': `Guten Tag {name},

diese Adresse wurde für das Konto {login} auf {platform} angegeben. Zum Bestätigen diesen Link innerhalb von 24 Stunden öffnen:

{link}

Falls Ihnen dieses Konto unbekannt ist, ist nichts zu tun.
`,
  'mail.email_change_notice.subject': 'Die Adresse Ihres Kontos auf {platform}',
  'mail.email_change_notice.text': `Guten Tag {name},

die Adresse des Kontos {login} auf {platform} soll in {new_email} geändert werden.

Falls das jemand anders war, bitte das Passwort ändern:
{address}account
`,
  'mail.email_taken_notice.subject': 'Ihre Adresse auf {platform}',
  'mail.email_taken_notice.text': `Guten Tag {name},

jemand hat diese Adresse für ein anderes Konto auf {platform} angegeben, sie gehört aber zu Ihrem Konto {login}. Es wurde nichts geändert.
`,
  'mail.invitation.subject': 'Einladung von {inviter} zu {platform}',
  'mail.invitation.text': `Guten Tag,

{inviter} lädt Sie zu {platform} ein.
{message}
Zum Anlegen des Kontos diesen Link innerhalb von 14 Tagen öffnen:

{link}
`,
  'mail.invitation_to_project.subject': 'Einladung von {inviter} zu {project} auf {platform}',
  'mail.invitation_to_project.text': `Guten Tag,

{inviter} lädt Sie zum Projekt {project} auf {platform} ein.
{message}
Zum Anlegen des Kontos und zum Beitreten diesen Link innerhalb von 14 Tagen öffnen:

{link}
`,
  'mail.registration_open.subject': 'Ihr Konto auf {platform}',
  'mail.registration_open.text': `Guten Tag {name},

willkommen bei {platform}. Um die Adresse zu bestätigen und mit dem Konto {login} zu beginnen, diesen Link innerhalb von 24 Stunden öffnen:

{link}

Ohne eigene Registrierung ist nichts zu tun.
`,
  'mail.registration_approval.subject': 'Ihr Konto auf {platform}',
  'mail.registration_approval.text': `Guten Tag {name},

vielen Dank für die Registrierung bei {platform}. Um die Adresse für das Konto {login} zu bestätigen, diesen Link innerhalb von 24 Stunden öffnen:

{link}

Danach muss das Konto noch freigegeben werden. Ohne eigene Registrierung ist nichts zu tun.
`,
  'mail.registration_login_taken.subject': 'Ihre Registrierung bei {platform}',
  'mail.registration_login_taken.text': `Guten Tag,

Sie haben ein Konto mit dem Anmeldenamen {username} auf {platform} beantragt, dieser Name ist aber nicht frei. Bitte einen anderen wählen:
{address}

Ohne eigene Registrierung ist nichts zu tun.
`,
  'mail.registration_address_taken.subject': 'Ihre Registrierung bei {platform}',
  'mail.registration_address_taken.text': `Guten Tag {name},

jemand hat mit dieser Adresse ein Konto auf {platform} beantragt, es gibt aber schon eines: {login}. Es wurde nichts geändert.

Falls die Anmeldung nicht gelingt, bitte ein neues Passwort anfordern:
{address}
`,
  'mail.export_ready.subject': 'Ihre Daten auf {platform}',
  'mail.export_ready.text': `Guten Tag {name},

die Datei mit allen Daten, die {platform} über das Konto {login} speichert, ist bereit. Bitte anmelden und innerhalb von 7 Tagen herunterladen:

{address}api/users/self/export/content

Falls das jemand anders angefordert hat, hat diese Person Zugang zum Konto: Passwort ändern und unbekannte Schlüssel löschen.
`,
} as const satisfies Record<keyof typeof englishMails, string>
