-- Providers of identity (OpenID Connect), by which people sign in. The secret of the client is encrypted, or in a file that
-- `settings` names.
create table identity_provider (
  name       text primary key check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
  settings   jsonb not null,
  secret     bytea,
  created_on timestamptz not null,
  version    integer not null default 1
);

-- Who an account is at a provider. A subject is never given to another account, and an account has one subject each.
create table account_identity (
  provider     text not null references identity_provider on delete cascade,
  subject      text not null check (length(subject) between 1 and 255),
  account_id   bigint not null references account,
  created_on   timestamptz not null,
  last_used_on timestamptz not null,
  primary key (provider, subject),
  unique (provider, account_id)
);
create index account_identity_of_account on account_identity (account_id);

-- Sessions that began at a provider, which may end them. The encrypted ID token names the session when its owner signs out.
create table identity_session (
  session_id text primary key references session on delete cascade,
  provider   text not null references identity_provider on delete cascade,
  subject    text not null,
  sid        text,
  id_token   bytea
);
create index identity_session_of_subject on identity_session (provider, subject);
create index identity_session_by_sid on identity_session (provider, sid);

-- Memberships that a provider gave, and so may take away.
create table identity_group (
  provider   text not null references identity_provider on delete cascade,
  account_id bigint not null references account,
  user_group text not null,
  primary key (provider, account_id, user_group)
);
create index identity_group_of_account on identity_group (account_id);

-- States and logout tokens that were used, until they expire by themselves.
create table used_identity_token (
  digest     bytea primary key check (length(digest) = 32),
  expires_on timestamptz not null
);
create index used_identity_token_by_expiry on used_identity_token (expires_on);

-- What a provider has ended recently, by the hash of the session or subject: a sign-in that was under way is refused.
create table ended_identity_session (
  digest   bytea primary key check (length(digest) = 32),
  ended_on timestamptz not null
);
create index ended_identity_session_by_time on ended_identity_session (ended_on);
