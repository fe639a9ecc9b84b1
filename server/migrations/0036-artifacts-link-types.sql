-- Links of types other than the untyped and the child type, to find whether a type is in use before it is deleted.
-- Partial: most links have one of those two, and writing them costs nothing more.
create index artifact_link_of_type on artifact_link (type) where type not in ('', '_is_child');

-- A link and the deletion of its type may be written at the same moment, and neither sees the other. The lock makes one
-- wait for the other; a link whose type is gone starts again (40001), and is then refused with a message.
create function require_link_type() returns trigger language plpgsql as $$
begin
  perform from link_type where shortname = new.type for key share;
  if not found then
    raise exception 'there is no link type %', new.type using errcode = 'serialization_failure';
  end if;
  return null;
end $$;

create trigger artifact_link_has_type after insert or update of type on artifact_link
  for each row when (new.type not in ('', '_is_child')) execute function require_link_type();
