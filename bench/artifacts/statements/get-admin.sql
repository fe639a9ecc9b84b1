\set id random(1, :size)
select artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank,
    artifact.version, artifact.field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
    artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified, artifact.deleted_on is not null as is_deleted, (select coalesce(json_agg(each), '[]') from (select account.id, account.login, account.real_name, account.ldap_id, account.has_avatar,
  account.avatar_key, account.erased_on is not null as is_erased, account.email, account.status, account.time_zone, account.language,
  account.text_format, account.pending_email, account.is_site_admin, account.version from account where account.id = any(artifact.people || artifact.submitted_by || artifact.last_update_by || :s1_1::bigint)) each) as persons,
      around.ends, (select json_agg(each) from (select tracker.id, concat_ws('.', tracker.version, tracker.rights_epoch, project.version,
  project.rights_epoch) as stamp
    from tracker join project on project.id = tracker.project_id where tracker.id = any(artifact.tracker_id || around.trackers)) each) as stamps,
      (select concat_ws('.', pg_postmaster_start_time(), access_key.xmin, account.xmin, (select setting.version from setting)) from access_key join account on account.id = access_key.account_id
    where access_key.id = :s1_2::bigint) as sign_in
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
