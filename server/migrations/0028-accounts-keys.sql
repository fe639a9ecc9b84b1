-- When the password was last given in a session; sensitive changes need it to be recent. Null: not since this version.
alter table session add column confirmed_on timestamptz;
-- The projects that a key is limited to; null: all that its owner may enter.
alter table access_key add column projects bigint[] check (cardinality(projects) > 0);
