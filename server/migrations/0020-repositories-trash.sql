-- Deleted repositories: a dump is kept of each, from which it can be restored.
alter table repository
  -- Since when it is on its way back, and under which name if not its own. It holds that name from then on.
  add column restoring_on   timestamptz,
  add column restoring_name text,
  -- The file below `deleted`; null: the folder itself is still there.
  add column dump_file      text,
  add column dump_revision  bigint,
  add column dump_sha256    text;

drop index repository_name;
create unique index repository_name on repository (project_id, folded(coalesce(restoring_name, name)))
  where deleted_on is null or restoring_on is not null;

create index repository_deleted on repository (deleted_on) where deleted_on is not null;
