alter table project
  add column deleted_by     bigint references account,
  -- Null in a deleted project of an earlier version: it is never purged.
  add column deleted_on     timestamptz,
  -- The status before the deletion, which a restoration brings back.
  add column deleted_status text,
  -- From here on the project cannot be restored; the purge continues after every interruption.
  add column purge_begun_on timestamptz;
create index project_in_trash on project (deleted_on) where status = 'deleted';

-- Short names of purged projects, which are never given again: addresses, references and working copies name them.
create table project_tombstone (
  shortname  text primary key check (shortname = folded(shortname)),
  project_id bigint not null,
  purged_on  timestamptz not null
);
