-- GET /users/self/notification_settings with the session cookie
-- Each request of the pages.
-- Written by `npm run sql`.

select
  account.id as account_id, account.login, account.status, account.is_site_admin, account.time_zone,
  account.language, account.text_format, account.password_expires_on, session.id as session_id,
  session.created_on, session.last_used_on, session.confirmed_on,
  (select setting.version from setting) as settings_version,
  concat_ws(
    '.', pg_postmaster_start_time(), session.xmin, account.xmin, (select setting.version from setting)
  ) as stamp, concat_ws(' ', pg_postmaster_start_time(), pg_current_snapshot()) as snapshot
from session join account on account.id = session.account_id
where session.digest = $1;

select
  account_id, default_level, mail, digest_hour, own_changes, assigned, submitted, mute_mentions, short_mails
from notification_setting
where account_id = any ($1::bigint[]);
