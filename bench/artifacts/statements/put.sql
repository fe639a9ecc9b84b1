\set group random(0, :size / 20 - 1)
\set within random(0, 18)
\set restricted (:group * 7 + 3) % 20
\set id :group * 20 + :within + case when :within >= :restricted then 1 else 0 end + 1
\set turn random(0, 4)
select version as was_version, people::text,
  '{' || was.status || '}' as was_status, '{' || next.status || '}' as next_status,
  '{' || coalesce(was.points, -1) || '}' as was_points, '{' || next.points || '}' as next_points,
  jsonb_build_object('103', jsonb_build_array(next.status), '110', next.points)::text as changes
from artifact
  cross join lateral (select (field_values #>> array['103', '0'])::bigint as status,
    (field_values ->> '110')::bigint as points, array[122, 123, 124, 125, 126, 127]::bigint[] as statuses,
    array[0, 1, 2, 3, 5, 8, 13, 20]::bigint[] as worths) was
  cross join lateral (select was.statuses[1 + (array_position(was.statuses, was.status) + :turn) % 6] as status,
    was.worths[1 + (coalesce(array_position(was.worths, was.points), 0) + :turn) % 8] as points) next
where id = :id \gset
select account.id as account_id, account.login, account.status, account.is_site_admin,
  account.time_zone, account.language, account.text_format, account.password_expires_on, access_key.id as key_id, access_key.prefix, access_key.digest, access_key.scopes, access_key.projects, access_key.expires_on,
      access_key.is_over, access_key.last_used_on, access_key.last_used_by, (select setting.version from setting) as settings_version,
      concat_ws('.', pg_postmaster_start_time(), access_key.xmin, account.xmin, (select setting.version from setting)) as stamp, concat_ws(' ', pg_postmaster_start_time(), pg_current_snapshot()) as snapshot
    from access_key join account on account.id = access_key.account_id
    where access_key.id <= :s1_1 order by access_key.id desc limit 1;
select artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank,
    artifact.version, artifact.field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
    artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified, artifact.deleted_on is not null as is_deleted, (select coalesce(json_agg(each), '[]') from (select account.id, account.login, account.real_name, account.ldap_id, account.has_avatar,
  account.avatar_key, account.erased_on is not null as is_erased, account.email, account.status, account.time_zone, account.language,
  account.text_format, account.pending_email, account.is_site_admin, account.version from account where account.id = any(artifact.people || artifact.submitted_by || artifact.last_update_by || :s2_1::bigint)) each) as persons,
      around.ends, (select json_agg(each) from (select tracker.id, concat_ws('.', tracker.version, tracker.rights_epoch, project.version,
  project.rights_epoch) as stamp
    from tracker join project on project.id = tracker.project_id where tracker.id = any(artifact.tracker_id || around.trackers)) each) as stamps,
      null as sign_in
    from artifact cross join (
      select array_agg(artifact.tracker_id) as trackers, coalesce(json_agg(json_build_array(
          each.kind, each.id, each.type, artifact.tracker_id, artifact.restricted_to, artifact.deleted_on is not null,
          artifact.project_id, each.ref, each.keyword, each.value, each.of_project, each.field_id,
          changeset.comment_groups, case when each.kind = 0 and each.type = '_is_child'
            then jsonb_build_object('values', artifact.field_values, 'submitted_on', artifact.submitted_on) end)
        order by each.kind, each.place, each.ref, each.field_id, each.changeset_id), '[]') as ends
      from (
        select 0 as kind, link.target_id as id, link.target_id as place, link.type, null::text as ref, null::text as keyword, null::text as value, null::bigint as of_project,
    null::bigint as field_id, null::bigint as changeset_id
        from artifact_link link where link.source_id = :id
        union all
        select 1, link.source_id, link.source_id, link.type, null::text as ref, null::text as keyword, null::text as value, null::bigint as of_project,
    null::bigint as field_id, null::bigint as changeset_id
        from artifact_link link where link.target_id = :id
        union all
        select 2, reference.target_id, 0, null, reference.ref, reference.keyword, reference.value, reference.of_project, reference.field_id,
    reference.changeset_id
        from artifact_reference reference where reference.artifact_id = :id
        union all
        select 3, reference.artifact_id, reference.artifact_id, null, reference.ref, reference.keyword, reference.value, reference.of_project, reference.field_id,
    reference.changeset_id
        from artifact_reference reference where reference.target_id = :id
      ) each left join artifact on artifact.id = each.id left join changeset on changeset.id = each.changeset_id
    ) around
    where artifact.id = :id;
with current as (
      select artifact.id from artifact join tracker on tracker.id = artifact.tracker_id join project on project.id = artifact.project_id where artifact.id = :id and concat_ws('.', tracker.version, tracker.rights_epoch, project.version,
  project.rights_epoch) = :s3_2
    ), after as (
      update artifact set
        version = artifact.version + 1,
        field_values = artifact.field_values || :changes::jsonb,
        people = :people::bigint[],
        restricted_to = null::bigint[],
        last_update_by = :s3_6::bigint,
        last_modified_date = greatest(:s3_7::timestamptz, artifact.last_modified_date + interval '1 microsecond'),
        last_modified = greatest(date_trunc('second', :s3_8::timestamptz), artifact.last_modified + interval '1 second')
      from current
      where artifact.id = current.id and artifact.version = :was_version and artifact.deleted_on is null
      returning artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank,
    artifact.version, artifact.field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
    artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified
    ), history as (
      insert into changeset (project_id, artifact_id, tracker_id, version, submitted_by, submitted_on, last_modified,
        changes, comment, comment_format, comment_groups)
      select project_id, id, tracker_id, version, last_update_by, last_modified_date, last_modified, :changes::jsonb,
        null::text, null::text, null::bigint[]
      from after returning id), event_rows as (
    insert into event (type, object, project_id, payload, actor_id, request_id, client_uuid)
    select candidate.type, candidate.object, candidate.project_id, candidate.payload,
      :s3_14::bigint, :s3_15::text, null::text
    from (select :s3_17::text, 'artifacts/' || id, project_id,
        jsonb_build_object('version', version, 'tracker_id', tracker_id) || :s3_18::jsonb
      from after) as candidate (type, object, project_id, payload)), ids_removed as (
      delete from value_index using after, unnest(:s3_19::bigint[],
        :was_status::bigint[]) as gone (field_id, value)
      where value_index.artifact_id = after.id and value_index.field_id = gone.field_id
        and value_index.value = gone.value), ids_added as (
      insert into value_index (project_id, field_id, value, artifact_id)
      select project_id, come.field_id, come.value, id from after, unnest(:s3_21::bigint[],
        :next_status::bigint[]) as come (field_id, value)), numbers_removed as (
      delete from number_index using after, unnest(:s3_23::bigint[],
        :was_points::double precision[]) as gone (field_id, value)
      where number_index.artifact_id = after.id and number_index.field_id = gone.field_id
        and number_index.value = gone.value), numbers_added as (
      insert into number_index (project_id, field_id, value, artifact_id)
      select project_id, come.field_id, come.value, id
      from after, unnest(:s3_25::bigint[],
        :next_points::double precision[]) as come (field_id, value))
    select * from after;
