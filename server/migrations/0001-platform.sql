-- The one order of texts for people. Identifiers compare by their bytes.
create collation waypost (provider = icu, locale = 'und-u-kn-true');

-- The form in which texts are compared and searched: what looks alike and differs in case or encoding is equal.
create function folded(given text) returns text immutable strict parallel safe language sql
return lower(normalize(given, NFKC) collate "und-x-icu");

create table event (
  id         bigint generated always as identity primary key,
  -- The writing transaction: readers go by (xid, id), and stop before the oldest one still running.
  xid        xid8 not null default pg_current_xact_id(),
  "on"       timestamptz not null default clock_timestamp(),
  type       text not null,
  object     text,
  project_id bigint,
  actor_id   bigint,
  -- The request that made the change, and the browser tab that sent it: its author knows its own echo.
  request_id  text,
  client_uuid text,
  payload    jsonb not null default '{}'
);
create index event_in_order on event (xid, id);
create index event_of_project on event (project_id, type, id) where project_id is not null;

-- Places in the feed name it; a restore makes a new one, so that a place from before is known as such.
create table feed_epoch (
  only_row boolean primary key default true check (only_row),
  epoch    text not null default substr(replace(gen_random_uuid()::text, '-', ''), 1, 8)
);
insert into feed_epoch default values;

-- What is to be done, and how it went. The job engine has the queue; this is the ledger that people read.
create table job (
  id           bigint generated always as identity primary key,
  type         text not null,
  state        text not null default 'waiting' check (state in ('waiting', 'running', 'retrying', 'parked', 'done')),
  -- Dropped when the job is done.
  payload      jsonb,
  object       text,
  request_id   text,
  attempts     integer not null default 0,
  max_attempts integer not null default 8,
  created_on   timestamptz not null default clock_timestamp(),
  run_after    timestamptz,
  started_on   timestamptz,
  done_on      timestamptz,
  last_error   text,
  attempts_log jsonb not null default '[]'
);
create index job_in_state on job (state, id);
create index job_of_type on job (type, id);

-- Append-only: the servers' role may insert and select, nothing else.
create table audit (
  id              bigint generated always as identity primary key,
  "on"            timestamptz not null default clock_timestamp(),
  actor_id        bigint,
  credential_kind text,
  credential_id   text,
  address         text,
  action          text not null,
  object          text,
  project_id      bigint,
  outcome         text not null check (outcome in ('done', 'refused')),
  before          jsonb,
  after           jsonb,
  reason          text,
  request_id      text
);
create index audit_of_actor on audit (actor_id, id);
create index audit_of_object on audit (object, id);
create index audit_of_project on audit (project_id, id);
create index audit_of_action on audit (action text_pattern_ops, id);
create index audit_of_request on audit (request_id);
create index audit_by_time on audit ("on");

-- An answer that was committed with its write, to be repeated when the client asks again.
create table idempotency (
  account_id   bigint not null,
  method       text not null,
  path         text not null,
  key          text not null,
  request_hash bytea not null,
  status       integer not null,
  headers      jsonb not null,
  body         text,
  location     text,
  version      jsonb,
  -- Set instead of headers and body where the answer held a secret.
  secret_id    text,
  created_on   timestamptz not null,
  primary key (account_id, method, path, key)
);
create index idempotency_by_age on idempotency (created_on);

create table setting (
  only_row boolean primary key default true check (only_row),
  version  integer not null default 1,
  -- Only what differs from the defaults of the code.
  chosen   jsonb not null default '{}'
);
insert into setting default values;
