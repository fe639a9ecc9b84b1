-- A narrow copy of each artifact for searches, which read many rows and show few. Triggers keep it true in the
-- transaction of each write, also for processes of the version before.
create table artifact_summary (
  id                 bigint primary key,
  project_id         bigint not null,
  tracker_id         bigint not null,
  submitted_by       bigint,
  submitted_on       timestamptz not null,
  last_update_by     bigint,
  last_modified_date timestamptz not null,
  deleted_on         timestamptz,
  restricted_to      bigint[],
  -- The first 255 characters of the title, as searches sort by it; null if it is empty.
  title              text collate waypost,
  -- The whole title, caseless, to find parts of it; null if it is empty, or longer.
  folded_title       text
) with (fillfactor = 90); -- No index has what each update changes, so updates stay on their page.
create index artifact_summary_in_list on artifact_summary (tracker_id, id) where deleted_on is null;
create index artifact_summary_titles on artifact_summary (tracker_id, title, id) where deleted_on is null;

create function title_of(field_values jsonb, field bigint) returns text immutable parallel safe language sql as $$
  select coalesce(field_values -> field::text ->> 'content', field_values ->> field::text) $$;

-- The rows of the copy as they have to be.
create view artifact_to_summarize as
select artifact.id, artifact.project_id, artifact.tracker_id, artifact.submitted_by, artifact.submitted_on,
  artifact.last_update_by, artifact.last_modified_date, artifact.deleted_on, artifact.restricted_to,
  nullif(left(title_of(artifact.field_values, tracker.title_field_id), 255), '') collate waypost as title,
  case when length(title_of(artifact.field_values, tracker.title_field_id)) between 1 and 255
    then caseless(title_of(artifact.field_values, tracker.title_field_id)) end as folded_title
from artifact join tracker on tracker.id = artifact.tracker_id;

create function write_artifact_summary() returns trigger language plpgsql as $$
declare
  field text := (select title_field_id::text from tracker where id = new.tracker_id);
  said text := coalesce(new.field_values -> field ->> 'content', new.field_values ->> field);
begin
  -- Most updates leave the title as it is, which takes longest to write.
  if tg_op = 'UPDATE' and new.tracker_id = old.tracker_id
    and said is not distinct from coalesce(old.field_values -> field ->> 'content', old.field_values ->> field) then
    update artifact_summary set project_id = new.project_id, submitted_by = new.submitted_by,
      submitted_on = new.submitted_on, last_update_by = new.last_update_by, last_modified_date = new.last_modified_date,
      deleted_on = new.deleted_on, restricted_to = new.restricted_to
    where id = new.id;
    if found then return null; end if;
  end if;
  -- The row may be there without being visible: a back-fill has written it after the snapshot of this transaction.
  insert into artifact_summary values (new.id, new.project_id, new.tracker_id, new.submitted_by, new.submitted_on,
    new.last_update_by, new.last_modified_date, new.deleted_on, new.restricted_to, nullif(left(said, 255), ''),
    case when length(said) between 1 and 255 then caseless(said) end)
  on conflict (id) do update set (project_id, tracker_id, submitted_by, submitted_on, last_update_by, last_modified_date,
    deleted_on, restricted_to, title, folded_title) = row (excluded.project_id, excluded.tracker_id, excluded.submitted_by,
    excluded.submitted_on, excluded.last_update_by, excluded.last_modified_date, excluded.deleted_on,
    excluded.restricted_to, excluded.title, excluded.folded_title);
  return null;
end $$;
create function delete_artifact_summary() returns trigger language plpgsql as $$
begin
  delete from artifact_summary where id = old.id;
  return null;
end $$;
-- Both wait for running writers, so every write that they have missed is committed before the back-fill begins.
create trigger copied_when_created after insert on artifact for each row execute function write_artifact_summary();
create trigger copied_when_changed after update of project_id, tracker_id, field_values, submitted_by, submitted_on,
  last_update_by, last_modified_date, deleted_on, restricted_to on artifact
  for each row execute function write_artifact_summary();
create trigger copied_when_deleted after delete on artifact for each row execute function delete_artifact_summary();

-- Another field becomes the title: titles of the tracker are not read until they are filled again. A new tracker has no
-- titles to fill, because no other transaction sees it before the one that creates it has committed.
create function refill_titles() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into back_fill (name, scope, phase, horizon, verified_on)
    values ('artifact_titles', new.id, 'verified', pg_current_xact_id(), now());
    return null;
  end if;
  insert into back_fill (name, scope) values ('artifact_titles', new.id)
  on conflict (name, scope) do update set phase = 'requested', horizon = null, place = 0, verified_on = null
  where back_fill.horizon is distinct from pg_current_xact_id();
  return null;
end $$;
create function forget_titles() returns trigger language plpgsql as $$
begin
  delete from back_fill where name = 'artifact_titles' and scope = old.id;
  return null;
end $$;
create trigger titles_filled after insert on tracker for each row execute function refill_titles();
create trigger titles_refilled after update of structure on tracker for each row
  when (old.title_field_id is distinct from new.title_field_id) execute function refill_titles();
create trigger titles_forgotten after delete on tracker for each row execute function forget_titles();

insert into back_fill (name, phase, verified_on)
select 'artifact_summary', case when is_empty then 'verified' else 'requested' end, case when is_empty then now() end
from (select not exists (select from artifact) as is_empty) artifacts;
