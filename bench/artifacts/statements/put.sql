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
      access_key.is_over, access_key.last_used_on, access_key.last_used_by, (select setting.version from setting) as settings_version
    from access_key join account on account.id = access_key.account_id
    where access_key.id <= :s1_1 order by access_key.id desc limit 1;
with me as materialized (select
    array(select project_member.project_id from project_member where project_member.account_id = :s2_1::bigint ) as member_of,
    array(select project_member.project_id from project_member where project_member.account_id = :s2_2::bigint  and is_admin) as admin_of,
    array(select project_member.project_id from project_member where project_member.account_id = :s2_3::bigint  and is_svn_admin) as svn_admin_of,
    array(select coalesce(bound.id, user_group_member.user_group_id) from user_group_member
      left join user_group bound on bound.bound_to = user_group_member.user_group_id
      where user_group_member.account_id = :s2_4::bigint
      union all
      select user_group_member.user_group_id from user_group_member
      where user_group_member.account_id = :s2_5::bigint) as groups), main as materialized (
      select artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank,
    artifact.version, artifact.field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
    artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified, concat_ws('.', tracker.version, tracker.rights_epoch, project.version,
  project.rights_epoch) as stamp from artifact join tracker on tracker.id = artifact.tracker_id join project on project.id = artifact.project_id cross join me where artifact.id = :id
        and (artifact.deleted_on is null and tracker.deleted_on is null and ((true and ((project.status in ('active', 'archived') and project.access in ('public', 'unrestricted')) or (project.status in ('active', 'archived', 'importing') and project.id = any(me.member_of)))) and (project.id = any(me.admin_of) or exists (select from tracker_grant granted where granted.tracker_id = tracker.id
    and (granted.group_id in (1, 2, 5) or granted.group_id = any(me.groups) or granted.group_id = 3 and project.id = any(me.member_of)
    or granted.group_id = 4 and project.id = any(me.admin_of) or granted.group_id = 19 and project.id = any(me.svn_admin_of)) and (granted.kind = 'admin' or (artifact.restricted_to is null or tracker.restriction_field_id is null
    or (artifact.restricted_to && '{1,2,5}'::bigint[] or artifact.restricted_to && me.groups or 3 = any(artifact.restricted_to) and project.id = any(me.member_of)
    or 4 = any(artifact.restricted_to) and project.id = any(me.admin_of) or 19 = any(artifact.restricted_to) and project.id = any(me.svn_admin_of))) and case granted.kind
      when 'full' then true
      when 'submitted_by_user' then artifact.submitted_by = :s2_7::bigint
      when 'submitted_by_group' then account_in_group(artifact.submitted_by, project.id, granted.group_id)
      when 'assigned_to_group' then
        assigned_in_group(artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
      else false end)))))
    )
    select main.*,
      (select coalesce(json_agg(each), '[]') from (select account.id, account.login, account.real_name, account.ldap_id, account.has_avatar,
  account.erased_on is not null as is_erased, account.email, account.status, account.time_zone, account.language,
  account.text_format, account.pending_email, account.is_site_admin, account.version from account where account.id = any(main.people || main.submitted_by || main.last_update_by || :s2_8::bigint)) each) as persons,
      
    (select coalesce(json_agg(each), '[]') from (select artifact.id, link.type,
  jsonb_build_object('id', tracker.id, 'label', tracker.label, 'color_name', tracker.color_name) as tracker,
  jsonb_build_object('id', project.id, 'label', project.label, 'icon', project.icon) as project, case link.type when '_is_child' then jsonb_build_object('values', artifact.field_values,
  'stamp', concat_ws('.', tracker.version, tracker.rights_epoch, project.version,
  project.rights_epoch), 'submitted_on', artifact.submitted_on) end as child from artifact_link link cross join lateral (select * from artifact where artifact.id = link.target_id offset 0) artifact join tracker on tracker.id = artifact.tracker_id join project on project.id = artifact.project_id cross join me
      where link.source_id = main.id and (artifact.deleted_on is null and tracker.deleted_on is null and ((true and ((project.status in ('active', 'archived') and project.access in ('public', 'unrestricted')) or (project.status in ('active', 'archived', 'importing') and project.id = any(me.member_of)))) and (project.id = any(me.admin_of) or exists (select from tracker_grant granted where granted.tracker_id = tracker.id
    and (granted.group_id in (1, 2, 5) or granted.group_id = any(me.groups) or granted.group_id = 3 and project.id = any(me.member_of)
    or granted.group_id = 4 and project.id = any(me.admin_of) or granted.group_id = 19 and project.id = any(me.svn_admin_of)) and (granted.kind = 'admin' or (artifact.restricted_to is null or tracker.restriction_field_id is null
    or (artifact.restricted_to && '{1,2,5}'::bigint[] or artifact.restricted_to && me.groups or 3 = any(artifact.restricted_to) and project.id = any(me.member_of)
    or 4 = any(artifact.restricted_to) and project.id = any(me.admin_of) or 19 = any(artifact.restricted_to) and project.id = any(me.svn_admin_of))) and case granted.kind
      when 'full' then true
      when 'submitted_by_user' then artifact.submitted_by = :s2_9::bigint
      when 'submitted_by_group' then account_in_group(artifact.submitted_by, project.id, granted.group_id)
      when 'assigned_to_group' then
        assigned_in_group(artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
      else false end))))) order by link.target_id) each) as forward,
    (select coalesce(json_agg(each), '[]') from (select artifact.id, link.type,
  jsonb_build_object('id', tracker.id, 'label', tracker.label, 'color_name', tracker.color_name) as tracker,
  jsonb_build_object('id', project.id, 'label', project.label, 'icon', project.icon) as project from artifact_link link cross join lateral (select * from artifact where artifact.id = link.source_id offset 0) artifact join tracker on tracker.id = artifact.tracker_id join project on project.id = artifact.project_id cross join me
      where link.target_id = main.id and (artifact.deleted_on is null and tracker.deleted_on is null and ((true and ((project.status in ('active', 'archived') and project.access in ('public', 'unrestricted')) or (project.status in ('active', 'archived', 'importing') and project.id = any(me.member_of)))) and (project.id = any(me.admin_of) or exists (select from tracker_grant granted where granted.tracker_id = tracker.id
    and (granted.group_id in (1, 2, 5) or granted.group_id = any(me.groups) or granted.group_id = 3 and project.id = any(me.member_of)
    or granted.group_id = 4 and project.id = any(me.admin_of) or granted.group_id = 19 and project.id = any(me.svn_admin_of)) and (granted.kind = 'admin' or (artifact.restricted_to is null or tracker.restriction_field_id is null
    or (artifact.restricted_to && '{1,2,5}'::bigint[] or artifact.restricted_to && me.groups or 3 = any(artifact.restricted_to) and project.id = any(me.member_of)
    or 4 = any(artifact.restricted_to) and project.id = any(me.admin_of) or 19 = any(artifact.restricted_to) and project.id = any(me.svn_admin_of))) and case granted.kind
      when 'full' then true
      when 'submitted_by_user' then artifact.submitted_by = :s2_10::bigint
      when 'submitted_by_group' then account_in_group(artifact.submitted_by, project.id, granted.group_id)
      when 'assigned_to_group' then
        assigned_in_group(artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
      else false end))))) order by link.source_id) each) as reverse,
    (select coalesce(json_agg(each), '[]') from (select reference.ref, reference.keyword, reference.value, reference.of_project, reference.target_id,
        reference.field_id, changeset.comment_groups
      from artifact_reference reference left join changeset on changeset.id = reference.changeset_id
      where reference.artifact_id = main.id and (reference.target_id is null and reference.of_project = main.project_id and not reference.keyword = '@' or exists (
    select from artifact join tracker on tracker.id = artifact.tracker_id join project on project.id = artifact.project_id cross join me where artifact.id = reference.target_id and (artifact.deleted_on is null and tracker.deleted_on is null and ((true and ((project.status in ('active', 'archived') and project.access in ('public', 'unrestricted')) or (project.status in ('active', 'archived', 'importing') and project.id = any(me.member_of)))) and (project.id = any(me.admin_of) or exists (select from tracker_grant granted where granted.tracker_id = tracker.id
    and (granted.group_id in (1, 2, 5) or granted.group_id = any(me.groups) or granted.group_id = 3 and project.id = any(me.member_of)
    or granted.group_id = 4 and project.id = any(me.admin_of) or granted.group_id = 19 and project.id = any(me.svn_admin_of)) and (granted.kind = 'admin' or (artifact.restricted_to is null or tracker.restriction_field_id is null
    or (artifact.restricted_to && '{1,2,5}'::bigint[] or artifact.restricted_to && me.groups or 3 = any(artifact.restricted_to) and project.id = any(me.member_of)
    or 4 = any(artifact.restricted_to) and project.id = any(me.admin_of) or 19 = any(artifact.restricted_to) and project.id = any(me.svn_admin_of))) and case granted.kind
      when 'full' then true
      when 'submitted_by_user' then artifact.submitted_by = :s2_11::bigint
      when 'submitted_by_group' then account_in_group(artifact.submitted_by, project.id, granted.group_id)
      when 'assigned_to_group' then
        assigned_in_group(artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
      else false end)))))
      and (reference.of_project in (main.project_id, artifact.project_id) or reference.keyword = '@'))) order by reference.ref) each) as outgoing,
    (select coalesce(json_agg(each), '[]') from (select reference.artifact_id, artifact.project_id, artifact.tracker_id, reference.field_id,
        changeset.comment_groups, concat_ws('.', tracker.version, tracker.rights_epoch, project.version,
  project.rights_epoch) as stamp
      from artifact_reference reference cross join lateral (select * from artifact where artifact.id = reference.artifact_id offset 0) artifact join tracker on tracker.id = artifact.tracker_id join project on project.id = artifact.project_id cross join me
        left join changeset on changeset.id = reference.changeset_id
      where reference.target_id = main.id and (artifact.deleted_on is null and tracker.deleted_on is null and ((true and ((project.status in ('active', 'archived') and project.access in ('public', 'unrestricted')) or (project.status in ('active', 'archived', 'importing') and project.id = any(me.member_of)))) and (project.id = any(me.admin_of) or exists (select from tracker_grant granted where granted.tracker_id = tracker.id
    and (granted.group_id in (1, 2, 5) or granted.group_id = any(me.groups) or granted.group_id = 3 and project.id = any(me.member_of)
    or granted.group_id = 4 and project.id = any(me.admin_of) or granted.group_id = 19 and project.id = any(me.svn_admin_of)) and (granted.kind = 'admin' or (artifact.restricted_to is null or tracker.restriction_field_id is null
    or (artifact.restricted_to && '{1,2,5}'::bigint[] or artifact.restricted_to && me.groups or 3 = any(artifact.restricted_to) and project.id = any(me.member_of)
    or 4 = any(artifact.restricted_to) and project.id = any(me.admin_of) or 19 = any(artifact.restricted_to) and project.id = any(me.svn_admin_of))) and case granted.kind
      when 'full' then true
      when 'submitted_by_user' then artifact.submitted_by = :s2_12::bigint
      when 'submitted_by_group' then account_in_group(artifact.submitted_by, project.id, granted.group_id)
      when 'assigned_to_group' then
        assigned_in_group(artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
      else false end))))) order by reference.artifact_id) each) as incoming
    from main;
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
