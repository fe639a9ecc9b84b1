-- An address that is told what happens: a reader of the feed, with its own place in it.
create table webhook (
  id         bigint generated always as identity primary key,
  project_id bigint not null references project on delete cascade,
  -- Null: it is of the whole project.
  tracker_id bigint references tracker on delete cascade,
  url        text not null,
  events     text[] not null,
  format     text not null check (format in ('form', 'json')),
  payload    text not null check (payload in ('original', 'event')),
  -- With whose eyes it reads; null: with those of the platform.
  as_user    bigint references account,
  ordered    boolean not null default false,
  active     boolean not null default true,
  state      text not null default 'ok' check (state in ('ok', 'failing', 'paused', 'off')),
  last_status integer,
  -- Everything up to here has been planned.
  place_xid  xid8 not null,
  place_id   bigint not null,
  -- Encrypted with the platform's keys. For a day after a change the old one signs too.
  secret     bytea not null,
  old_secret bytea,
  old_secret_until timestamptz,
  -- Failures since the last success, since when, and until when nothing is sent because of them.
  failures      integer not null default 0,
  failing_since timestamptz,
  held_until    timestamptz,
  version    integer not null default 1,
  created_by bigint references account,
  created_on timestamptz not null,
  check (tracker_id is not null or as_user is not null)
);
create index webhook_of_project on webhook (project_id);
create index webhook_of_tracker on webhook (tracker_id) where tracker_id is not null;
create index webhook_active on webhook (place_xid, place_id) where active;

-- What is to be sent, what was sent, and what came back.
create table webhook_delivery (
  id         bigint generated always as identity primary key,
  webhook_id bigint not null references webhook on delete cascade,
  kind       text not null check (kind in ('planned', 'redelivered', 'replayed', 'ping')),
  event      text not null,
  event_id   text not null,
  -- Where the event stands in the feed; a ping stands nowhere.
  xid        xid8,
  number     bigint,
  object     text,
  state      text not null default 'waiting' check (state in ('waiting', 'delivered', 'retrying', 'failed', 'parked')),
  "on"       timestamptz not null,
  due_on     timestamptz not null,
  -- Somebody is at it until then; if he has said nothing by then, he is gone.
  taken_until timestamptz,
  attempts   integer not null default 0,
  -- The first attempt has ended, so that the next one of the same object may begin.
  tried      boolean not null default false,
  status     integer,
  duration_ms integer,
  error      text,
  request_headers jsonb,
  request_body    text,
  answer_headers  jsonb,
  answer_body     text,
  -- Who is named in the body.
  people     bigint[] not null default '{}'
);
-- An event is planned once, however many plan at once.
create unique index webhook_delivery_planned on webhook_delivery (webhook_id, xid, number) where kind = 'planned';
create index webhook_delivery_log on webhook_delivery (webhook_id, id);
create index webhook_delivery_open on webhook_delivery (webhook_id, id) where state in ('waiting', 'retrying');
create index webhook_delivery_untried on webhook_delivery (webhook_id, object, id) where not tried and state = 'waiting';
create index webhook_delivery_taken on webhook_delivery (webhook_id) where taken_until is not null;
create index webhook_delivery_by_age on webhook_delivery ("on");
