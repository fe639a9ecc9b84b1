-- GET /search?query=…&only=artifacts
-- The command palette: artifacts, while a query is typed. The other kinds run beside them, in any order.
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

select imported_artifact.artifact_id
from imported_artifact
where imported_artifact.source_key = $1
limit 1;

select
  exists (
    select
    from artifact_words tablesample system ($1) repeatable (1)
    where artifact_words.words like $2
  ) as in_texts,
  exists (
    select
    from changeset tablesample system ($3) repeatable (1)
    where changeset.comment is not null and searchable (changeset.comment) like $4
  ) as in_comments;

with
  me as materialized (
    select
      array(
        select project_member.project_id
        from project_member
        where project_member.account_id = $1::bigint
      ) as member_of,
      array(
        select project_member.project_id
        from project_member
        where project_member.account_id = $2::bigint and is_admin
      ) as admin_of,
      array(
        select project_member.project_id
        from project_member
        where project_member.account_id = $3::bigint and is_svn_admin
      ) as svn_admin_of,
      array(
        select coalesce(bound.id, user_group_member.user_group_id)
        from user_group_member left join user_group bound on bound.bound_to = user_group_member.user_group_id
        where user_group_member.account_id = $4::bigint
        union all
        select user_group_member.user_group_id
        from user_group_member
        where user_group_member.account_id = $5::bigint
      ) as groups
  )
select artifact.id
from
  (
    select artifact_summary.*
    from artifact_words join artifact_summary on artifact_summary.id = artifact_words.artifact_id
    where artifact_words.words like $6
    offset 0
  ) artifact
where
  (artifact.folded_title like $7)
  and (artifact.folded_title ~ $8)
  and artifact.id < $9
  and true
  and (
    true
    and (
      artifact.deleted_on is null
      and (
        artifact.restricted_to is null
        and artifact.tracker_id in (
          select tracker.id
          from tracker join project on project.id = tracker.project_id cross join me
          where
            tracker.deleted_on is null
            and (
              (
                true
                and (
                  (project.status in ('active', 'archived') and project.access in ('public', 'unrestricted'))
                  or (
                    project.status in ('active', 'archived', 'importing')
                    and project.id = any (me.member_of)
                  )
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
                    and granted.kind in ('full', 'admin')
                )
              )
            )
        )
        or exists (
          select
          from
            me
            join tracker on tracker.id = artifact.tracker_id
            join project on project.id = artifact.project_id
          where
            (
              artifact.deleted_on is null
              and tracker.deleted_on is null
              and (
                (
                  true
                  and (
                    (
                      project.status in ('active', 'archived')
                      and project.access in ('public', 'unrestricted')
                    )
                    or (
                      project.status in ('active', 'archived', 'importing')
                      and project.id = any (me.member_of)
                    )
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
                          when 'submitted_by_user' then artifact.submitted_by = $10::bigint
                          when 'submitted_by_group' then account_in_group (artifact.submitted_by, project.id, granted.group_id)
                          when 'assigned_to_group' then assigned_in_group (artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
                          else false
                        end
                      )
                  )
                )
              )
            )
        )
      )
    )
  )
order by artifact.id desc
limit 16;

with
  me as materialized (
    select
      array(
        select project_member.project_id
        from project_member
        where project_member.account_id = $1::bigint
      ) as member_of,
      array(
        select project_member.project_id
        from project_member
        where project_member.account_id = $2::bigint and is_admin
      ) as admin_of,
      array(
        select project_member.project_id
        from project_member
        where project_member.account_id = $3::bigint and is_svn_admin
      ) as svn_admin_of,
      array(
        select coalesce(bound.id, user_group_member.user_group_id)
        from user_group_member left join user_group bound on bound.bound_to = user_group_member.user_group_id
        where user_group_member.account_id = $4::bigint
        union all
        select user_group_member.user_group_id
        from user_group_member
        where user_group_member.account_id = $5::bigint
      ) as groups
  ),
  main as materialized (
    select
      artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank, artifact.version,
      artifact.field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
      artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified,
      concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
    from
      artifact
      join tracker on tracker.id = artifact.tracker_id
      join project on project.id = artifact.project_id
      cross join me
    where
      artifact.id = any ($6::bigint[])
      and (
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
                    when 'submitted_by_user' then artifact.submitted_by = $7::bigint
                    when 'submitted_by_group' then account_in_group (artifact.submitted_by, project.id, granted.group_id)
                    when 'assigned_to_group' then assigned_in_group (artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
                    else false
                  end
                )
            )
          )
        )
      )
  )
select
  main.*,
  case
    when row_number() over () = 1 then (
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
            account.id = any (
              array(
                select distinct unnest(main.people || main.submitted_by || main.last_update_by || $8::bigint)
                from main
              )
            )
        ) each
    )
  end as persons, '[]'::json as forward, '[]'::json as reverse, '[]'::json as outgoing, '[]'::json as incoming
from main;
