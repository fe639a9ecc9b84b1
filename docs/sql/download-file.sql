-- GET /files/{id}/{name}
-- A member opens an attachment.
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

select type
from file_content
where digest = $1;
