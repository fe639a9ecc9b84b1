-- GET /users/self/notification_settings with Basic authentication
-- Each request of a client that sends login and password.
-- Written by `npm run sql`.

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
      where login = $1
      union
      select account_id
      from directory_account
      where login = $2
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

select
  account_id, default_level, mail, digest_hour, own_changes, assigned, submitted, mute_mentions, short_mails
from notification_setting
where account_id = any ($1::bigint[]);
