-- The picture of a person, drawn anew by the server. It is in the database: backups, restores and erasure take it along.
create table avatar (
  account_id bigint primary key references account,
  content    bytea not null check (octet_length(content) <= 1048576)
);
-- A random part of the address of the picture: only those who are shown the account learn it. A new picture has another one.
alter table account add column avatar_key text;
