-- Only writers of the same tree wait for each other. A link locks its child exclusively, and its parent with all
-- ancestors in shared mode, until it has committed. Of several links that would close a cycle together, each has the
-- child of the one before among its ancestors, so the last one to look sees all others. While the locks are held, no
-- other writer can add ancestors. Ids share 256 locks, because PostgreSQL has a limited number of them.
create or replace function refuse_cycle() returns trigger language plpgsql as $$
declare
  buckets constant integer := 256;
  lock_class constant integer := hashtext('tree of artifacts');
  this_write constant text := pg_current_xact_id()::text || ' ' || new.source_id;
  -- All links that this transaction adds to the parent are locked by the first of them, in the order of the locks.
  is_first constant boolean := current_setting('waypost.tree_write', true) is distinct from this_write;
  held text[] := '{}';
  missing record;
  is_complete boolean;
begin
  -- Transactions that began to commit before this migration hold it exclusively.
  perform pg_advisory_xact_lock_shared(hashtextextended('tree of artifacts', 0));
  perform set_config('waypost.tree_write', this_write, true);
  loop
    is_complete := true;
    for missing in
      with recursive added as (
        select link.source_id, link.target_id from artifact_link link
        where link.source_id = new.source_id and link.type = '_is_child'
          and (link.target_id = new.target_id or is_first and link.xmin = pg_current_xact_id()::xid)
      ), above (id) as (
        select added.source_id from added
        union select link.source_id from above
          join artifact_link link on link.target_id = above.id and link.type = '_is_child'
      ), needed (bucket, is_exclusive) as (
        select added.target_id % buckets, true from added union all select above.id % buckets, false from above
      )
      select needed.bucket::integer as bucket, bool_or(needed.is_exclusive) as is_exclusive
      from needed group by needed.bucket order by needed.bucket
    loop
      continue when held @> array[missing.bucket || ' ' || missing.is_exclusive];
      is_complete := false;
      held := held || (missing.bucket || ' ' || missing.is_exclusive);
      if missing.is_exclusive then
        perform pg_advisory_xact_lock(lock_class, missing.bucket);
      else
        perform pg_advisory_xact_lock_shared(lock_class, missing.bucket);
      end if;
    end loop;
    -- Ancestors may have been added while it waited.
    exit when is_complete;
  end loop;
  if exists (
    with recursive above (id) as (
      -- None, if the link is gone by now.
      select source_id from artifact_link
        where source_id = new.source_id and target_id = new.target_id and type = '_is_child'
      union select link.source_id from above
        join artifact_link link on link.target_id = above.id and link.type = '_is_child'
    )
    select from above where id = new.target_id
  ) then
    raise exception 'artifact % would be its own ancestor', new.target_id using errcode = 'serialization_failure';
  end if;
  return null;
end $$;
