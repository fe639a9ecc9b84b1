-- GET /users/self/notification_settings with X-Auth-Token
-- Each request of a client that holds a token.
-- Written by `npm run sql`.

select version
from setting;

select
  account.id as account_id, account.login, account.status, account.is_site_admin, account.time_zone,
  account.language, account.text_format, account.password_expires_on, token.created_on, token.is_over
from token join account on account.id = token.account_id
where token.digest = $1 and token.account_id = $2;

select
  account_id, default_level, mail, digest_hour, own_changes, assigned, submitted, mute_mentions, short_mails
from notification_setting
where account_id = any ($1::bigint[]);
