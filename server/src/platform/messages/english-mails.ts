/** Mails: `mail.<name>.subject` and `mail.<name>.text`. A link is alone on its line, so that it can be clicked. */
export const englishMails = {
  'mail.webhook_paused.subject': 'A webhook on {platform} is paused',
  'mail.webhook_paused.text': `Hello {name},

all deliveries of webhook {webhook} have failed for three days, so it is paused now:

{target}

Nothing is lost. When the receiver answers again, switch the webhook on: it continues where it stopped.
{address}api/webhooks/{webhook}
`,
  'mail.webhook_owner_lost_rights.subject': 'A webhook on {platform} needs a new owner',
  'mail.webhook_owner_lost_rights.text': `Hello {name},

webhook {webhook} is paused, because its owner no longer has the rights that it needs:

{target}

Nothing is lost. To become its owner, set its url, as_user or secret; then switch it on. It continues where it stopped.
{address}api/webhooks/{webhook}
`,
  'mail.no_keys': '(none)',
  'mail.svn_commit.subject': '{repository} r{revision} {directories}',
  'mail.svn_commit.modified': 'Updated:',
  'mail.svn_commit.added': 'Added:',
  'mail.svn_commit.deleted': 'Deleted:',
  'mail.svn_commit.text': `Repository: {repository}
Author: {author}
Date: {date}
Revision: {revision}
{link}

{message}
{files}`,
  'mail.access_key_created.subject': 'A new access key for {platform}',
  'mail.access_key_created.text': `Hello {name},

an access key was created for your account {login} on {platform}.

Description: {description}
Scopes: {scopes}

If you did not create it, delete it and change your password:
{address}account/keys-tokens
`,
  'mail.password_reset.subject': 'Your password for {platform}',
  'mail.password_reset.text': `Hello {name},

someone asked for a new password for your account {login} on {platform}. To choose one, open this link within an hour:

{link}

If it was not you, do nothing: your password stays as it is.
`,
  'mail.invite_account.subject': 'Your account on {platform}',
  'mail.invite_account.text': `Hello {name},

an account was created for you on {platform}. Your login is {login}. Choose a password within 7 days:

{link}
`,
  'mail.password_changed.subject': 'Your password for {platform} was changed',
  'mail.password_changed.text': `Hello {name},

the password of your account {login} on {platform} was changed. Other sessions and all tokens have ended.

Access keys keep working. Yours are:
{keys}

If it was not you, ask for a new password at once, and delete the keys that you do not know:
{address}account/keys-tokens
`,
  'mail.email_verification.subject': 'Confirm your address for {platform}',
  'mail.email_verification.text': `Hello {name},

this address was entered for the account {login} on {platform}. To confirm it, open this link within 24 hours:

{link}

If you do not know this account, do nothing.
`,
  'mail.email_change_notice.subject': 'The address of your account on {platform}',
  'mail.email_change_notice.text': `Hello {name},

the address of your account {login} on {platform} is to be changed to {new_email}.

If it was not you, change your password:
{address}account
`,
  'mail.email_taken_notice.subject': 'Your address on {platform}',
  'mail.email_taken_notice.text': `Hello {name},

someone entered this address for another account on {platform}, but your account {login} uses it. Nothing was changed.
`,
  'mail.invitation.subject': '{inviter} invites you to {platform}',
  'mail.invitation.text': `Hello,

{inviter} invites you to {platform}.
{message}
To create your account, open this link within 14 days:

{link}
`,
  'mail.invitation_to_project.subject': '{inviter} invites you to {project} on {platform}',
  'mail.invitation_to_project.text': `Hello,

{inviter} invites you to the project {project} on {platform}.
{message}
To create your account and join, open this link within 14 days:

{link}
`,
  'mail.registration_open.subject': 'Your account on {platform}',
  'mail.registration_open.text': `Hello {name},

welcome to {platform}. To confirm your address and begin with your account {login}, open this link within 24 hours:

{link}

If you did not register, do nothing.
`,
  'mail.registration_approval.subject': 'Your account on {platform}',
  'mail.registration_approval.text': `Hello {name},

thank you for registering on {platform}. To confirm your address for the account {login}, open this link within 24 hours:

{link}

Your account then waits until an administrator approves it. If you did not register, do nothing.
`,
  'mail.registration_login_taken.subject': 'Your registration on {platform}',
  'mail.registration_login_taken.text': `Hello,

you asked for an account with the login {username} on {platform}, but this login is not free. Choose another one:
{address}

If you did not register, do nothing.
`,
  'mail.registration_address_taken.subject': 'Your registration on {platform}',
  'mail.registration_address_taken.text': `Hello {name},

someone asked for an account on {platform} with this address, but you have one already: {login}. Nothing was changed.

If you cannot sign in, ask for a new password:
{address}
`,
  'mail.export_ready.subject': 'Your data on {platform}',
  'mail.export_ready.text': `Hello {name},

the file with all data that {platform} stores about your account {login} is ready. Sign in and download it within 7 days:

{address}api/users/self/export/content

If you did not ask for it, someone else can sign in as you: change your password, and delete the keys that you do not know.
`,
} as const satisfies Record<string, string>
