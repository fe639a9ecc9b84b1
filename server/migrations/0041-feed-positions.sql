-- Events from before the sequencer keep their order. They are all committed, so no lock is needed.
insert into event_position (position, event_id)
select row_number() over (order by event.xid, event.id), event.id from event where event.tx is null;
update feed_sequence set turn = turn + 1, position = (select coalesce(max(event_position.position), 0) from event_position);

create function feed_horizon() returns bigint stable language sql security definer set search_path = public, pg_temp as $$
  select position from feed_sequence $$;

-- The position before the first event that a cursor (xid, id) has not read.
create function feed_position_before(read_xid xid8, read_id bigint) returns bigint stable language sql as $$
  select coalesce(min(event_position.position) - 1, (select position from feed_sequence))
  from event join event_position on event_position.event_id = event.id
  where (event.xid, event.id) > (read_xid, read_id) $$;

-- Servers of the version before move only (place_xid, place_id) and (xid, id). An event is read if it is before either
-- form, so readers by position leave out what is before the old one.
alter table webhook add column place_position bigint not null default feed_horizon();
update webhook set place_position = feed_position_before(place_xid, place_id);

alter table notice_reader add column position bigint not null default 0;
update notice_reader set position = feed_position_before(xid, id);

alter table notified_event add column position bigint;

-- A server of the version before may read an event again that a newer one has read. It would insert the same notice
-- again, fail, and try for ever.
create function skip_known_notification() returns trigger language plpgsql as $$ begin
  if exists (select from notification where account_id = new.account_id and event_id = new.event_id) then return null; end if;
  return new;
end $$;
create trigger skip_known before insert on notification for each row execute function skip_known_notification();

create function skip_known_mail() returns trigger language plpgsql as $$ begin
  if exists (select from notice_mail where account_id = new.account_id and event_id = new.event_id) then return null; end if;
  return new;
end $$;
create trigger skip_known before insert on notice_mail for each row execute function skip_known_mail();
