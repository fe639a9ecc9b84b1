-- One row for each running worker. A worker that stops removes its row; one that dies leaves it.
create table worker_heartbeat (
  id         uuid primary key,
  host       text not null,
  pid        int not null,
  version    text not null,
  started_on timestamptz not null default now(),
  seen_on    timestamptz not null default now()
);
