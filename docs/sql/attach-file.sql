-- POST /artifacts with a file
-- A member creates an artifact with an uploaded file.
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
  file.id, file.uploader_id, file.name, file.media_type, file.description, file.field_id, file.size,
  file.received, file.chunks, file.last_chunk, file.digest, file.is_attached, file.created_on, file.expires_on
from file
where file.id = any ($1);

select file.digest, coalesce(content.size, 0)::bigint as sealed, piece.at, piece.size, piece.key
from
  file
  left join file_content content on content.digest = file.digest
  left join file_piece piece on piece.file_id = file.id
where file.id = $1
order by piece.at;

select
  file.id, file.uploader_id, file.name, file.media_type, file.description, file.field_id, file.size,
  file.received, file.chunks, file.last_chunk, file.digest, file.is_attached, file.created_on, file.expires_on
from file
where file.id = any ($1);

select concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
from tracker join project on project.id = tracker.project_id
where tracker.id = $1;

select
  file.id, file.uploader_id, file.name, file.media_type, file.description, file.field_id, file.size,
  file.received, file.chunks, file.last_chunk, file.digest, file.is_attached, file.created_on, file.expires_on
from file
where file.id = any ($1);

select
  artifact_file.file_id, artifact_file.artifact_id, artifact_file.field_id, artifact.tracker_id,
  concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp,
  (
    artifact.deleted_on is null
    and tracker.deleted_on is null
    and (
      (
        true
        and (
          (project.status in ('active', 'archived') and project.access in ('public', 'unrestricted'))
          or (project.status in ('active', 'archived', 'importing') and project.id = any (me.member_of))
        )
      )
      and (
        project.id = any (me.admin_of)
        or exists (
          select
          from tracker_grant granted
          where
            granted.tracker_id = tracker.id
            and (
              granted.group_id in (1, 2, 5)
              or granted.group_id = any (me.groups)
              or granted.group_id = 3
              and project.id = any (me.member_of)
              or granted.group_id = 4
              and project.id = any (me.admin_of)
              or granted.group_id = 19
              and project.id = any (me.svn_admin_of)
            )
            and (
              granted.kind = 'admin'
              or (
                artifact.restricted_to is null
                or tracker.restriction_field_id is null
                or (
                  artifact.restricted_to && '{1,2,5}'::bigint[]
                  or artifact.restricted_to && me.groups
                  or 3 = any (artifact.restricted_to)
                  and project.id = any (me.member_of)
                  or 4 = any (artifact.restricted_to)
                  and project.id = any (me.admin_of)
                  or 19 = any (artifact.restricted_to)
                  and project.id = any (me.svn_admin_of)
                )
              )
              and case granted.kind
                when 'full' then true
                when 'submitted_by_user' then artifact.submitted_by = $1::bigint
                when 'submitted_by_group' then account_in_group (artifact.submitted_by, project.id, granted.group_id)
                when 'assigned_to_group' then assigned_in_group (artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
                else false
              end
            )
        )
      )
    )
  ) as is_seen
from
  artifact_file
  join artifact on artifact.id = artifact_file.artifact_id
  join tracker on tracker.id = artifact.tracker_id
  join project on project.id = artifact.project_id
  cross join (
    select
      array(
        select project_member.project_id
        from project_member
        where project_member.account_id = $2::bigint
      ) as member_of,
      array(
        select project_member.project_id
        from project_member
        where project_member.account_id = $3::bigint and is_admin
      ) as admin_of,
      array(
        select project_member.project_id
        from project_member
        where project_member.account_id = $4::bigint and is_svn_admin
      ) as svn_admin_of,
      array(
        select coalesce(bound.id, user_group_member.user_group_id)
        from user_group_member left join user_group bound on bound.bound_to = user_group_member.user_group_id
        where user_group_member.account_id = $5::bigint
        union all
        select user_group_member.user_group_id
        from user_group_member
        where user_group_member.account_id = $6::bigint
      ) as groups
  ) me
where artifact_file.file_id = any ($7::bigint[]);

begin;

savepoint files;

select pg_advisory_xact_lock(hashtextextended ($1, 0));

with
  counted as (
    update tracker_total
    set last_number = last_number + $1, artifacts = artifacts + $2
    from tracker join project on project.id = tracker.project_id
    where
      tracker_total.tracker_id = $3
      and tracker.id = $4
      and tracker.deleted_on is null
      and concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) = $5
      and true
    returning tracker_total.project_id, tracker_total.tracker_id, last_number
  ),
  after as (
    insert into
      artifact (
        project_id, tracker_id, number, field_values, people, restricted_to, submitted_by, submitted_on,
        last_update_by, last_modified_date, last_modified
      )
    select
      counted.project_id, counted.tracker_id, counted.last_number, $6::jsonb, $7::bigint[], $8::bigint[],
      $9::bigint, $10::timestamptz, $11::bigint, $12::timestamptz, date_trunc('second', $13::timestamptz)
    from counted
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
      project_id, id, tracker_id, version, last_update_by, last_modified_date, last_modified, $14::jsonb,
      $15::text, $16::text, $17::bigint[]
    from after
    returning id
  ),
  event_rows as (
    insert into event (type, object, project_id, payload, actor_id, request_id, client_uuid)
    select
      candidate.type, candidate.object, candidate.project_id, candidate.payload, $18::bigint, $19::text,
      $20::text
    from
      (
        select
          $21::text, 'artifacts/' || id, project_id,
          jsonb_build_object('version', version, 'tracker_id', tracker_id) || $22::jsonb
        from after
      ) as candidate (type, object, project_id, payload)
  ),
  ids_added as (
    insert into value_index (project_id, field_id, value, artifact_id)
    select project_id, come.field_id, come.value, id
    from after, unnest($23::bigint[], $24::bigint[]) as come (field_id, value)
  )
select *
from after;

update file
set is_attached = true, expires_on = null, writer = null, writing_until = null, last_chunk = null
where
  id = any ($1)
  and uploader_id = $2
  and not is_attached
  and expires_on > $3
  and exists (
    select
    from file_content content
    where content.digest = file.digest and content.size = file.size
  )
  and received = size;

insert into artifact_file (file_id, project_id, artifact_id, field_id)
select come.file_id, $1::bigint, $2::bigint, come.field_id
from unnest($3::bigint[], $4::bigint[]) as come (file_id, field_id);

select
  (
    select coalesce(sum(file.size), 0)::bigint
    from file
    where file.id in (select artifact_file.file_id from artifact_file where artifact_file.project_id = $1)
  ) as size;

release savepoint files;

commit;

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

select
  file.id, file.uploader_id, file.name, file.media_type, file.description, file.field_id, file.size,
  file.received, file.chunks, file.last_chunk, file.digest, file.is_attached, file.created_on, file.expires_on
from file
where file.id = any ($1);
