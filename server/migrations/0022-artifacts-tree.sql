-- Nobody is his own ancestor. Whoever links a child looks before he writes, but of two who look at the same moment neither
-- sees the other. So each looks again when it commits, one after the other; who finds a cycle starts anew (40001), and is
-- then refused in words.
create function refuse_cycle() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('tree of artifacts', 0));
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

create constraint trigger artifact_link_tree after insert or update of type on artifact_link
  deferrable initially deferred for each row when (new.type = '_is_child') execute function refuse_cycle();
