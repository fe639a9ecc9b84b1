select account.id as account_id, account.login, account.status, account.is_site_admin,
  account.time_zone, account.language, account.text_format, account.password_expires_on, access_key.id as key_id, access_key.prefix, access_key.digest, access_key.scopes, access_key.projects, access_key.expires_on,
      access_key.is_over, access_key.last_used_on, access_key.last_used_by, (select setting.version from setting) as settings_version,
      concat_ws('.', pg_postmaster_start_time(), access_key.xmin, account.xmin, (select setting.version from setting)) as stamp, concat_ws(' ', pg_postmaster_start_time(), pg_current_snapshot()) as snapshot
    from access_key join account on account.id = access_key.account_id
    where access_key.id <= :s1_1 order by access_key.id desc limit 1;
select concat_ws('.', tracker.version, tracker.rights_epoch, project.version,
  project.rights_epoch) as stamp from tracker join project on project.id = tracker.project_id where tracker.id = :s2_1;
with unsynced as materialized (select set_config('synchronous_commit', 'off', true))
    update tracker_total set last_number = last_number + :s3_1 from unsynced
    where tracker_total.tracker_id = :s3_2
    returning last_number \gset drawn_
with counted as (
    select tracker.project_id, tracker.id as tracker_id, :drawn_last_number::bigint as last_number
    from tracker join project on project.id = tracker.project_id
    where tracker.id = :s4_2 and tracker.deleted_on is null and concat_ws('.', tracker.version, tracker.rights_epoch, project.version,
  project.rights_epoch) = :s4_3), after as (
      insert into artifact (project_id, tracker_id, number, field_values, people, restricted_to, submitted_by,
        submitted_on, last_update_by, last_modified_date, last_modified)
      select counted.project_id, counted.tracker_id, counted.last_number, :s4_4::jsonb,
        :s4_5::bigint[], null::bigint[], :s4_7::bigint, :s4_8::timestamptz,
        :s4_9::bigint, :s4_10::timestamptz, date_trunc('second', :s4_11::timestamptz)
      from counted
      returning artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank,
    artifact.version, artifact.field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
    artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified
    ), total as (
    insert into tracker_total_change (project_id, tracker_id, artifacts) select project_id, tracker_id, 1 from after), history as (
      insert into changeset (project_id, artifact_id, tracker_id, version, submitted_by, submitted_on, last_modified,
        changes, comment, comment_format, comment_groups)
      select project_id, id, tracker_id, version, last_update_by, last_modified_date, last_modified, :s4_12::jsonb,
        null::text, null::text, null::bigint[]
      from after returning id), event_rows as (
    insert into event (type, object, project_id, payload, actor_id, request_id, client_uuid)
    select candidate.type, candidate.object, candidate.project_id, candidate.payload,
      :s4_16::bigint, :s4_17::text, null::text
    from (select :s4_19::text, 'artifacts/' || id, project_id,
        jsonb_build_object('version', version, 'tracker_id', tracker_id) || :s4_20::jsonb
      from after) as candidate (type, object, project_id, payload)), ids_added as (
      insert into value_index (project_id, field_id, value, artifact_id)
      select project_id, come.field_id, come.value, id from after, unnest(:s4_21::bigint[],
        :s4_22::bigint[]) as come (field_id, value)), numbers_added as (
      insert into number_index (project_id, field_id, value, artifact_id)
      select project_id, come.field_id, come.value, id
      from after, unnest(:s4_23::bigint[],
        :s4_24::double precision[]) as come (field_id, value)), words_written as (insert into artifact_words (artifact_id, project_id, words)
    select id, project_id, words_of(field_values, :s4_25::bigint[])
    from (select after.id, after.project_id, after.field_values from after) as come (id, project_id, field_values)
    on conflict (artifact_id) do update set words = excluded.words)
    select * from after \gset made_
select artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank,
    artifact.version, artifact.field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
    artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified, artifact.deleted_on is not null as is_deleted, (select coalesce(json_agg(each), '[]') from (select account.id, account.login, account.real_name, account.ldap_id, account.has_avatar,
  account.avatar_key, account.erased_on is not null as is_erased, account.email, account.status, account.time_zone, account.language,
  account.text_format, account.pending_email, account.is_site_admin, account.version from account where account.id = any(artifact.people || artifact.submitted_by || artifact.last_update_by || :s5_1::bigint)) each) as persons,
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
        from artifact_link link where link.source_id = :made_id
        union all
        select 1, link.source_id, link.source_id, link.type, null::text as ref, null::text as keyword, null::text as value, null::bigint as of_project,
    null::bigint as field_id, null::bigint as changeset_id
        from artifact_link link where link.target_id = :made_id
        union all
        select 2, reference.target_id, 0, null, reference.ref, reference.keyword, reference.value, reference.of_project, reference.field_id,
    reference.changeset_id
        from artifact_reference reference where reference.artifact_id = :made_id
        union all
        select 3, reference.artifact_id, reference.artifact_id, null, reference.ref, reference.keyword, reference.value, reference.of_project, reference.field_id,
    reference.changeset_id
        from artifact_reference reference where reference.target_id = :made_id
      ) each left join artifact on artifact.id = each.id left join changeset on changeset.id = each.changeset_id
    ) around
    where artifact.id = :made_id;
