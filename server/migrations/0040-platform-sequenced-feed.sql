-- The transaction that writes an event, exactly; `xid` is a maximum, for readers of the version before. Null: written
-- before this migration. The lock waits for all writers, so every event without it is committed before the snapshot below.
alter table event add column tx xid8;
alter table event alter column tx set default pg_current_xact_id();
create index event_of_transaction on event (tx, id);

-- The order of the feed. A position is assigned once, without a gap, when the event is visible.
create table event_position (
  position bigint primary key,
  event_id bigint not null unique
);

-- Compared and swapped by every batch of the sequencer.
create table feed_sequence (
  only_row   boolean primary key default true check (only_row),
  turn       bigint not null default 0,
  -- The last position that is assigned.
  position   bigint not null default 0,
  -- All events that this snapshot sees have a position.
  snapshot   pg_snapshot not null,
  -- A long backlog is assigned in parts: all events that this snapshot sees, in order of id; those up to this id are done.
  target     pg_snapshot,
  drained_id bigint not null default 0
) with (fillfactor = 10);
insert into feed_sequence (snapshot) values (pg_current_snapshot());
