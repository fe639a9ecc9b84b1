-- PUT /artifacts/{id} of a child
-- The last open task is done, so a trigger also changes its story.
-- Written by `npm run sql`.

select
  account.id as account_id, account.login, account.status, account.is_site_admin, account.time_zone,
  account.language, account.text_format, account.password_expires_on, access_key.id as key_id,
  access_key.prefix, access_key.digest, access_key.scopes, access_key.projects, access_key.expires_on,
  access_key.is_over, access_key.last_used_on, access_key.last_used_by,
  (select setting.version from setting) as settings_version,
  concat_ws(
    '.', pg_postmaster_start_time(), access_key.xmin, account.xmin, (select setting.version from setting)
  ) as stamp, concat_ws(' ', pg_postmaster_start_time(), pg_current_snapshot()) as snapshot
from access_key join account on account.id = access_key.account_id
where access_key.id <= $1
order by access_key.id desc
limit 1;

select
  artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank, artifact.version,
  artifact.field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
  artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified,
  artifact.deleted_on is not null as is_deleted,
  (
    select coalesce(json_agg(each), '[]')
    from
      (
        select
          account.id, account.login, account.real_name, account.ldap_id, account.has_avatar,
          account.avatar_key, account.erased_on is not null as is_erased, account.email, account.status,
          account.time_zone, account.language, account.text_format, account.pending_email,
          account.is_site_admin, account.version
        from account
        where
          account.id = any (artifact.people || artifact.submitted_by || artifact.last_update_by || $1::bigint)
      ) each
  ) as persons, around.ends,
  (
    select json_agg(each)
    from
      (
        select
          tracker.id,
          concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
        from tracker join project on project.id = tracker.project_id
        where tracker.id = any (artifact.tracker_id || around.trackers)
      ) each
  ) as stamps, null as sign_in
from
  artifact
  cross join (
    select
      array_agg(artifact.tracker_id) as trackers,
      coalesce(
        json_agg(
          json_build_array(
            each.kind, each.id, each.type, artifact.tracker_id, artifact.restricted_to,
            artifact.deleted_on is not null, artifact.project_id, each.ref, each.keyword, each.value,
            each.of_project, each.field_id, changeset.comment_groups,
            case
              when each.kind = 0
              and each.type = '_is_child' then jsonb_build_object('values', artifact.field_values, 'submitted_on', artifact.submitted_on)
            end
          )
          order by each.kind, each.place, each.ref, each.field_id, each.changeset_id
        ), '[]'
      ) as ends
    from
      (
        select
          0 as kind, link.target_id as id, link.target_id as place, link.type, null::text as ref,
          null::text as keyword, null::text as value, null::bigint as of_project, null::bigint as field_id,
          null::bigint as changeset_id
        from artifact_link link
        where link.source_id = $2
        union all
        select
          1, link.source_id, link.source_id, link.type, null::text as ref, null::text as keyword,
          null::text as value, null::bigint as of_project, null::bigint as field_id,
          null::bigint as changeset_id
        from artifact_link link
        where link.target_id = $3
        union all
        select
          2, reference.target_id, 0, null, reference.ref, reference.keyword, reference.value,
          reference.of_project, reference.field_id, reference.changeset_id
        from artifact_reference reference
        where reference.artifact_id = $4
        union all
        select
          3, reference.artifact_id, reference.artifact_id, null, reference.ref, reference.keyword,
          reference.value, reference.of_project, reference.field_id, reference.changeset_id
        from artifact_reference reference
        where reference.target_id = $5
      ) each
      left join artifact on artifact.id = each.id
      left join changeset on changeset.id = each.changeset_id
  ) around
where artifact.id = $6;

select concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
from tracker join project on project.id = tracker.project_id
where tracker.id = $1 and tracker.deleted_on is null;

begin;

with
  current as (
    select artifact.id
    from
      artifact
      join tracker on tracker.id = artifact.tracker_id
      join project on project.id = artifact.project_id
    where
      artifact.id = $1
      and concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) = $2
  ),
  after as (
    update artifact
    set
      version = artifact.version + 1, field_values = artifact.field_values || $3::jsonb,
      people = $4::bigint[], restricted_to = $5::bigint[], last_update_by = $6::bigint,
      last_modified_date = greatest($7::timestamptz, artifact.last_modified_date + interval '1 microsecond'),
      last_modified = greatest(date_trunc('second', $8::timestamptz), artifact.last_modified + interval '1 second')
    from current
    where artifact.id = current.id and artifact.version = $9 and artifact.deleted_on is null
    returning
      artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank, artifact.version,
      artifact.field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
      artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified
  ),
  history as (
    insert into
      changeset (
        project_id, artifact_id, tracker_id, version, submitted_by, submitted_on, last_modified, changes,
        comment, comment_format, comment_groups
      )
    select
      project_id, id, tracker_id, version, last_update_by, last_modified_date, last_modified, $10::jsonb,
      $11::text, $12::text, $13::bigint[]
    from after
    returning id
  ),
  event_rows as (
    insert into event (type, object, project_id, payload, actor_id, request_id, client_uuid)
    select
      candidate.type, candidate.object, candidate.project_id, candidate.payload, $14::bigint, $15::text,
      $16::text
    from
      (
        select
          $17::text, 'artifacts/' || id, project_id,
          jsonb_build_object('version', version, 'tracker_id', tracker_id) || $18::jsonb
        from after
      ) as candidate (type, object, project_id, payload)
  ),
  ids_removed as (
    delete from value_index using after, unnest($19::bigint[], $20::bigint[]) as gone (field_id, value)
    where
      value_index.artifact_id = after.id
      and value_index.field_id = gone.field_id
      and value_index.value = gone.value
  ),
  ids_added as (
    insert into value_index (project_id, field_id, value, artifact_id)
    select project_id, come.field_id, come.value, id
    from after, unnest($21::bigint[], $22::bigint[]) as come (field_id, value)
  )
select *
from after;

select concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
from tracker join project on project.id = tracker.project_id
where tracker.id = $1 and tracker.deleted_on is null;

select artifact.id
from artifact_link link join artifact on artifact.id = link.source_id
where link.target_id = $1 and link.type = $2 and artifact.tracker_id = $3 and artifact.deleted_on is null
order by artifact.id;

savepoint "trigger";

select
from artifact
where artifact.id = $1
for no key update;

select
  artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank, artifact.version,
  artifact.field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
  artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified,
  concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
from
  artifact
  join tracker on tracker.id = artifact.tracker_id
  join project on project.id = artifact.project_id
where artifact.id = $1 and artifact.deleted_on is null and tracker.deleted_on is null;

select artifact.id, artifact.tracker_id, artifact.field_values as "values"
from artifact_link link join artifact on artifact.id = link.target_id
where link.source_id = $1 and link.type = $2 and artifact.deleted_on is null;

with
  current as (
    select artifact.id
    from
      artifact
      join tracker on tracker.id = artifact.tracker_id
      join project on project.id = artifact.project_id
    where
      artifact.id = $1
      and concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) = $2
  ),
  after as (
    update artifact
    set
      version = artifact.version + 1, field_values = artifact.field_values || $3::jsonb,
      people = $4::bigint[], restricted_to = $5::bigint[], last_update_by = $6::bigint,
      last_modified_date = greatest($7::timestamptz, artifact.last_modified_date + interval '1 microsecond'),
      last_modified = greatest(date_trunc('second', $8::timestamptz), artifact.last_modified + interval '1 second')
    from current
    where artifact.id = current.id and artifact.version = $9 and artifact.deleted_on is null
    returning
      artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank, artifact.version,
      artifact.field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
      artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified
  ),
  history as (
    insert into
      changeset (
        project_id, artifact_id, tracker_id, version, submitted_by, submitted_on, last_modified, changes,
        comment, comment_format, comment_groups
      )
    select
      project_id, id, tracker_id, version, last_update_by, last_modified_date, last_modified, $10::jsonb,
      $11::text, $12::text, $13::bigint[]
    from after
    returning id
  ),
  event_rows as (
    insert into event (type, object, project_id, payload, actor_id, request_id, client_uuid)
    select
      candidate.type, candidate.object, candidate.project_id, candidate.payload, $14::bigint, $15::text,
      $16::text
    from
      (
        select
          $17::text, 'artifacts/' || id, project_id,
          jsonb_build_object('version', version, 'tracker_id', tracker_id) || $18::jsonb
        from after
        union all
        select
          'comment.added', 'artifacts/' || id, project_id,
          jsonb_build_object('version', version, 'tracker_id', tracker_id) || $19::jsonb
        from after
      ) as candidate (type, object, project_id, payload)
  ),
  ids_removed as (
    delete from value_index using after, unnest($20::bigint[], $21::bigint[]) as gone (field_id, value)
    where
      value_index.artifact_id = after.id
      and value_index.field_id = gone.field_id
      and value_index.value = gone.value
  ),
  ids_added as (
    insert into value_index (project_id, field_id, value, artifact_id)
    select project_id, come.field_id, come.value, id
    from after, unnest($22::bigint[], $23::bigint[]) as come (field_id, value)
  )
select *
from after;

release "trigger";

commit;
