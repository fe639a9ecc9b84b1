-- POST /artifact_temporary_files
-- A script uploads the first chunk of a file.
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

-- 2 times:
select coalesce(sum(size), 0)::bigint as usage
from file
where uploader_id = $1 and not is_attached and expires_on > $2;

begin;

select pg_advisory_xact_lock(hashtextextended ($1, 0));

select coalesce(sum(size), 0)::bigint as usage
from file
where uploader_id = $1 and not is_attached and expires_on > $2;

insert into
  file (uploader_id, name, media_type, description, size, received, chunks, last_chunk, created_on, expires_on)
values ($1, $2, $3, $4, $5, $6, 1, $7, $8, $9)
returning
  file.id, file.uploader_id, file.name, file.media_type, file.description, file.field_id, file.size,
  file.received, file.chunks, file.last_chunk, file.digest, file.is_attached, file.created_on, file.expires_on;

insert into file_piece (file_id, at, size, digest, key)
values ($1, $2, $3, $4, $5);

commit;
