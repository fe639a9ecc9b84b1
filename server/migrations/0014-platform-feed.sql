-- The last event that was removed for its age: whoever has read less than this has missed something.
alter table feed_epoch
  add column removed_xid xid8 not null default '0',
  add column removed_id  bigint not null default 0;
