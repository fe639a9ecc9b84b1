-- Derived data that is filled after its migration, in batches (`back-fill.ts`). It is read only when `phase` is `verified`.
create table back_fill (
  name        text not null,
  -- What is filled: of a copy of each tracker, the tracker; 0: everything.
  scope       bigint not null default 0,
  -- Fill waits until no transaction runs that may have missed the trigger, then fills all rows, then compares all rows.
  phase       text not null default 'requested' check (phase in ('requested', 'waiting', 'filling', 'verifying', 'verified')),
  -- Transactions from this one on know of the request.
  horizon     xid8,
  -- Rows up to this id are done in this phase.
  place       bigint not null default 0,
  rows_filled bigint not null default 0,
  -- Differences that verifying has found; each one starts the fill again.
  differences bigint not null default 0,
  verified_on timestamptz,
  primary key (name, scope)
);
