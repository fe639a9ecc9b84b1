-- The pinned widgets of a project or of an account; exactly one of the two is set. Widgets name reports by id and hold no
-- data of artifacts. A foreign key for each report is left out: a deleted report leaves an empty widget.
create table dashboard (
  project_id bigint references project on delete cascade,
  account_id bigint references account,
  version    bigint not null default 0,
  widgets    jsonb not null default '[]',
  check (num_nonnulls(project_id, account_id) = 1),
  unique nulls not distinct (project_id, account_id)
);
-- Accounts are looked up alone.
create index dashboard_of_account on dashboard (account_id) where account_id is not null;
