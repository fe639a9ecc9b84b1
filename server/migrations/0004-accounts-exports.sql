-- What a person may get about himself: asked for, made by a job, and kept for a week. A new one takes the place of the old one.
create table export_file (
  account_id   bigint primary key references account,
  requested_on timestamptz not null,
  -- These three are null until it is made.
  made_on      timestamptz,
  expires_on   timestamptz,
  content      bytea,
  check (num_nulls(made_on, expires_on, content) in (0, 3))
);
