-- GET /users?query=…
-- Completion of a name in a field of people.
-- Written by `npm run sql`.

select
  account.id as account_id, account.login, account.status, account.is_site_admin, account.time_zone,
  account.language, account.text_format, account.password_expires_on, access_key.id as key_id,
  access_key.prefix, access_key.digest, access_key.scopes, access_key.projects, access_key.expires_on,
  access_key.is_over, access_key.last_used_on, access_key.last_used_by,
  (select setting.version from setting) as settings_version,
  concat_ws(
    '.', pg_postmaster_start_time(), access_key.xmin, account.xmin, (select setting.version from setting)
  ) as stamp, concat_ws(' ', pg_postmaster_start_time(), pg_current_snapshot()) as snapshot
from access_key join account on account.id = access_key.account_id
where access_key.id <= $1
order by access_key.id desc
limit 1;

select found.*, whole.size
from
  (
    select count(*) as size
    from account
    where
      account.status in ('A', 'R')
      and (
        (
          searchable (account.search) like '%' || regexp_replace(searchable (folded ($1::text)), '([\\%_])', '\\\1', 'g') || '%'
        )
      )
      and account.status not in ('P', 'V', 'W')
  ) whole
  left join (
    select
      account.id, account.login, account.real_name, account.ldap_id, account.has_avatar, account.avatar_key,
      account.erased_on is not null as is_erased, account.email, account.status, account.time_zone,
      account.language, account.text_format, account.pending_email, account.is_site_admin, account.version
    from account
    where
      account.status in ('A', 'R')
      and (
        (
          searchable (account.search) like '%' || regexp_replace(searchable (folded ($2::text)), '([\\%_])', '\\\1', 'g') || '%'
        )
      )
      and account.status not in ('P', 'V', 'W')
      and true
    order by account.login
    limit $3
    offset $4
  ) found on true
order by found.login;
