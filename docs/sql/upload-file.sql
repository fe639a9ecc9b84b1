-- PATCH /uploads/{id}
-- A browser sends all bytes of an announced upload, which seals the file.
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

select
  file.id, file.uploader_id, file.name, file.media_type, file.description, file.field_id, file.size,
  file.received, file.chunks, file.last_chunk, file.digest, file.is_attached, file.created_on, file.expires_on
from file
where
  file.id = $1
  and (file.uploader_id = $2 and not file.is_attached and file.expires_on > $3)
  and (file.field_id is not null and file.digest is null and file.size > 0);

update file
set writer = $1, writing_until = $2
where id = $3 and (writer is null or writing_until <= $4);

select
  file.id, file.uploader_id, file.name, file.media_type, file.description, file.field_id, file.size,
  file.received, file.chunks, file.last_chunk, file.digest, file.is_attached, file.created_on, file.expires_on
from file
where
  file.id = $1
  and (file.uploader_id = $2 and not file.is_attached and file.expires_on > $3)
  and (file.field_id is not null and file.digest is null and file.size > 0);

with
  moved as (
    update file
    set received = $1, writing_until = $2
    where id = $3 and writer = $4 and received = $5 and not is_attached
    returning id
  )
insert into file_piece (file_id, at, size, digest, key)
select moved.id, $6, $7, $8, $9
from moved
returning at;

-- 2 times:
select file.digest, coalesce(content.size, 0)::bigint as sealed, piece.at, piece.size, piece.key
from
  file
  left join file_content content on content.digest = file.digest
  left join file_piece piece on piece.file_id = file.id
where file.id = $1
order by piece.at;

insert into file_content (digest, size, type, stored_on, unused_on)
values ($1, $2, $3, $4, $5)
on conflict (digest) do nothing;

begin;

select
  set_config('statement_timeout', '60s', true), set_config('lock_timeout', '60s', true),
  set_config('idle_in_transaction_session_timeout', '5min', true);

/* takes long */
select pg_advisory_xact_lock(hashtextextended ($1, 0));

insert into file_content (digest, size, type, stored_on)
values ($1, $2, $3, $4)
on conflict (digest) do update
set unused_on = null, type = excluded.type;

update file
set digest = $1
where id = $2 and received = $3 and digest is not distinct from $4::text and not is_attached;

delete from file_piece
where file_id = $1;

commit;

select key
from file_piece
where key = any ($1::uuid[]);

select
  file.id, file.uploader_id, file.name, file.media_type, file.description, file.field_id, file.size,
  file.received, file.chunks, file.last_chunk, file.digest, file.is_attached, file.created_on, file.expires_on
from file
where file.id = any ($1);

update file
set writer = null, writing_until = null
where id = $1 and writer = $2;
