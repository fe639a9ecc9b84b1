-- POST /artifacts
-- A member creates an artifact with one text.
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

select concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
from tracker join project on project.id = tracker.project_id
where tracker.id = $1;

with unsynced as materialized (select set_config('synchronous_commit', 'off', true))
update tracker_total
set last_number = last_number + $1
from unsynced
where tracker_total.tracker_id = $2
returning last_number;

with
  counted as (
    select tracker.project_id, tracker.id as tracker_id, $1::bigint as last_number
    from tracker join project on project.id = tracker.project_id
    where
      tracker.id = $2
      and tracker.deleted_on is null
      and concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) = $3
  ),
  after as (
    insert into
      artifact (
        project_id, tracker_id, number, field_values, people, restricted_to, submitted_by, submitted_on,
        last_update_by, last_modified_date, last_modified
      )
    select
      counted.project_id, counted.tracker_id, counted.last_number, $4::jsonb, $5::bigint[], $6::bigint[],
      $7::bigint, $8::timestamptz, $9::bigint, $10::timestamptz, date_trunc('second', $11::timestamptz)
    from counted
    returning
      artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank, artifact.version,
      artifact.field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
      artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified
  ),
  total as (
    insert into tracker_total_change (project_id, tracker_id, artifacts)
    select project_id, tracker_id, 1
    from after
  ),
  history as (
    insert into
      changeset (
        project_id, artifact_id, tracker_id, version, submitted_by, submitted_on, last_modified, changes,
        comment, comment_format, comment_groups
      )
    select
      project_id, id, tracker_id, version, last_update_by, last_modified_date, last_modified, $12::jsonb,
      $13::text, $14::text, $15::bigint[]
    from after
    returning id
  ),
  event_rows as (
    insert into event (type, object, project_id, payload, actor_id, request_id, client_uuid)
    select
      candidate.type, candidate.object, candidate.project_id, candidate.payload, $16::bigint, $17::text,
      $18::text
    from
      (
        select
          $19::text, 'artifacts/' || id, project_id,
          jsonb_build_object('version', version, 'tracker_id', tracker_id) || $20::jsonb
        from after
      ) as candidate (type, object, project_id, payload)
  ),
  ids_added as (
    insert into value_index (project_id, field_id, value, artifact_id)
    select project_id, come.field_id, come.value, id
    from after, unnest($21::bigint[], $22::bigint[]) as come (field_id, value)
  ),
  words_written as (
    insert into artifact_words (artifact_id, project_id, words)
    select id, project_id, words_of (field_values, $23::bigint[])
    from
      (
        select after.id, after.project_id, after.field_values
        from after
      ) as come (id, project_id, field_values)
    on conflict (artifact_id) do update
    set words = excluded.words
  )
select *
from after;

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
