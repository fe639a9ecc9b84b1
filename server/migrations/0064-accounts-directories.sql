-- Directories (LDAP) whose people sign in with their password there. The password of the bind account is encrypted, or in
-- a file that `settings` names.
create table directory (
  name       text primary key check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
  settings   jsonb not null,
  secret     bytea,
  created_on timestamptz not null,
  version    integer not null default 1
);

-- Which entry an account belongs to. `suspended_from` is the status that a sync has replaced by S.
create table directory_account (
  directory      text not null references directory on delete cascade,
  entry_id       text not null check (length(entry_id) between 1 and 255),
  account_id     bigint not null references account,
  login          text,
  suspended_from text check (suspended_from in ('A', 'R')),
  created_on     timestamptz not null,
  primary key (directory, entry_id),
  unique (account_id)
);
create index directory_account_by_login on directory_account (login);

-- Memberships that a directory gave, and so may take away.
create table directory_group (
  directory  text not null references directory on delete cascade,
  account_id bigint not null references account,
  user_group text not null,
  primary key (directory, user_group, account_id)
);
create index directory_group_of_account on directory_group (account_id);

-- The last run of the sync of each directory.
create table directory_sync (
  directory  text primary key references directory on delete cascade,
  started_on timestamptz not null,
  ended_on   timestamptz,
  -- Why it failed, or what it left out.
  error      text,
  has_failed boolean not null default false,
  counts     jsonb not null
);
