-- The number of a transaction tells when it first wrote, not when it wrote this: one that waited, looked again and then wrote
-- stood before those that it had waited for. Now an event stands behind everything that its statement could see as ended, and
-- never before its own transaction, which readers wait for.
alter table event alter column xid set default
  greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8);
