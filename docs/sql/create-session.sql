-- POST /session
-- A person signs in on the sign-in page.
-- Written by `npm run sql`.

-- 2 times:
select version
from setting;

select
  account.id as account_id, account.login, account.status, account.is_site_admin, account.time_zone,
  account.language, account.text_format, account.password_expires_on, account.email, account.password_hash,
  link.directory, link.entry_id,
  case
    when link.directory is null then concat('hash ', account.password_hash)
    else concat_ws(
      '.', pg_postmaster_start_time(), account.xmin, link.xmin,
      (select directory.xmin from directory where directory.name = link.directory)
    )
  end as password_stamp, (select setting.version from setting) as settings_version
from account left join directory_account link on link.account_id = account.id
where
  account.id = any (
    array(
      select id
      from account
      where login = $1 or folded (email) = folded ($2)
      union
      select account_id
      from directory_account
      where login = $3
    )
  );

begin;

select pg_advisory_xact_lock(hashtextextended ($1, 1));

select
  of_pair.failures as of_pair, of_pair.newest, of_network.failures as of_network, of_network.oldest,
  (select count(*) from (select from sign_in_failure where "on" > $1 limit $2) recent) as of_site,
  (
    select known_origin.last_used_on
    from known_origin
    where known_origin.account_id = $3 and known_origin.kind = 'network' and known_origin.digest = $4
  ) as known_since
from
  (
    select count(*) as failures, max("on") as newest
    from sign_in_failure
    where login = $5 and address = $6 and "on" > $7
  ) of_pair,
  (
    select count(*) as failures, min("on") as oldest
    from sign_in_failure
    where address = $8 and "on" > $9
  ) of_network;

insert into "sign_in_failure" ("login", "address", "on")
values ($1, $2, $3)
returning "id";

commit;

delete from sign_in_failure
where id = $1;

begin;

select
from account
where
  account.id = $1
  and account.password_hash is not distinct from $2
  and (
    select link.directory
    from directory_account link
    where link.account_id = account.id
  ) is not distinct from $3
  and account.status in ('A', 'R')
for no key update;

delete from session
where
  session.id in (
    select each.id
    from session each
    where each.account_id = $1
    order by each.last_used_on desc, each.created_on desc
    offset $2
  );

insert into
  "session" ("id", "created_on", "last_used_on", "address", "agent", "account_id", "digest", "confirmed_on")
values ($1, $2, $3, $4, $5, $6, $7, $8);

insert into known_origin (account_id, kind, digest, last_used_on)
values ($1, $2, $3, $4)
on conflict (account_id, kind, digest) do update
set last_used_on = excluded.last_used_on;

delete from known_origin
where
  account_id = $1
  and kind = $2
  and digest in (
    select each.digest
    from known_origin each
    where each.account_id = $3 and each.kind = $4
    order by each.last_used_on desc, each.digest
    offset $5
  );

insert into
  audit (
    actor_id, credential_kind, credential_id, address, action, object, project_id, outcome, before, after,
    reason, request_id
  )
values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10::jsonb, $11, $12);

select
  account.id, account.login, account.real_name, account.ldap_id, account.has_avatar, account.avatar_key,
  account.erased_on is not null as is_erased, account.email, account.status, account.time_zone,
  account.language, account.text_format, account.pending_email, account.is_site_admin, account.version
from account
where account.id = $1;

commit;
