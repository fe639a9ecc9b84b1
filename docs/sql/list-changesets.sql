-- GET /artifacts/{id}/changesets
-- The history and the comments of an artifact.
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
  here as (
    select artifact.id
    from
      artifact
      join tracker on tracker.id = artifact.tracker_id
      join project on project.id = artifact.project_id
      cross join me
    where
      artifact.id = $6
      and concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) = $7
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
                    when 'submitted_by_user' then artifact.submitted_by = $8::bigint
                    when 'submitted_by_group' then account_in_group (artifact.submitted_by, project.id, granted.group_id)
                    when 'assigned_to_group' then assigned_in_group (artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
                    else false
                  end
                )
            )
          )
        )
      )
  ),
  linked as materialized (
    select step.version
    from
      (
        select
          version, case jsonb_typeof(changes -> $9) when 'object' then changes -> $10 else '{}' end as is,
          lag(
            case jsonb_typeof(changes -> $11) when 'object' then changes -> $12 else '{}' end, 1, '{}'
          ) over (
            order by version
          ) as was
        from here join changeset on changeset.artifact_id = here.id
        where changes ? $13
      ) step
      cross join lateral (
        select coalesce(one.key, other.key)::bigint as target
        from jsonb_each_text(step.is) one full join jsonb_each_text(step.was) other on other.key = one.key
        where one.value is distinct from other.value
      ) differing
      join artifact on artifact.id = differing.target
      join tracker on tracker.id = artifact.tracker_id
      join project on project.id = artifact.project_id
      cross join me
    where
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
                    when 'submitted_by_user' then artifact.submitted_by = $14::bigint
                    when 'submitted_by_group' then account_in_group (artifact.submitted_by, project.id, granted.group_id)
                    when 'assigned_to_group' then assigned_in_group (artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
                    else false
                  end
                )
            )
          )
        )
      )
  ),
  judged as (
    select
      changeset.id, version, submitted_by, submitted_on, comment, comment_format, comment_groups,
      changes ?| $15::text[] as is_changed, version in (select linked.version from linked) as is_linked,
      (comment is not null and ($16 or comment_groups is null or comment_groups && $17::bigint[])) as is_told,
      comment is null
      and ($18 or comment_groups is null or comment_groups && $19::bigint[])
      and changeset.id = any (
        array(
          select comment_version.changeset_id
          from here join comment_version on comment_version.artifact_id = here.id
        )
      ) as is_comment_deleted
    from here join changeset on changeset.artifact_id = here.id
  ),
  shown as materialized (
    select
      id, version, submitted_by, submitted_on, is_linked, is_told, is_comment_deleted,
      case when is_told then comment end as comment,
      case when is_told then comment_format end as comment_format,
      case when is_told then comment_groups end as comment_groups
    from judged
    where (version = 1 or is_changed or is_linked or is_told or is_comment_deleted) and true and true and true
  )
select
  counted.size, page.*, edited.*,
  case
    when page.is_told then (
      select
        json_agg(
          json_build_object('name', used.reaction, 'count', used.count, 'is_mine', used.is_mine)
          order by used.first_on, used.reaction
        )
      from
        (
          select
            comment_reaction.reaction, count(*) as count,
            bool_or(comment_reaction.account_id = $20::bigint) as is_mine,
            min(comment_reaction.reacted_on) as first_on
          from comment_reaction
          where comment_reaction.changeset_id = page.id
          group by comment_reaction.reaction
        ) used
    )
  end as reactions, imported.imported_by, imported.source as import_source
from
  here
  cross join (select count(*) as size from shown) counted
  left join lateral (select * from shown where true order by version asc limit $21 offset $22) page on true
  left join lateral (
    select
      comment_version.version + 1 as comment_version, comment_version.replaced_by as comment_edited_by,
      comment_version.replaced_on as comment_edited_on
    from comment_version
    where comment_version.changeset_id = page.id and (page.is_told or page.is_comment_deleted)
    order by comment_version.version desc
    limit 1
  ) edited on true
  left join lateral (
    select imported_artifact.imported_by, artifact_import.source
    from imported_artifact join artifact_import on artifact_import.id = imported_artifact.import_id
    where imported_artifact.artifact_id = here.id and imported_artifact.versions >= page.version
  ) imported on true
order by page.version asc;

with
  wanted as materialized (
    select *
    from
      unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) as request (id, tracker_id, first, last)
  )
select wanted.id, 0 as version, folded.changes
from
  wanted
  cross join lateral (
    select coalesce(jsonb_object_agg(each.key, each.value order by changeset.version), '{}') as changes
    from changeset cross join lateral jsonb_each(changeset.changes) each
    where
      changeset.artifact_id = wanted.id
      and changeset.tracker_id = wanted.tracker_id
      and changeset.version < wanted.first
  ) folded
union all
select wanted.id, step.version, step.changes
from
  wanted
  cross join lateral (
    select
      changeset.version,
      case changeset.tracker_id when wanted.tracker_id then changes else '{}' end as changes
    from changeset
    where changeset.artifact_id = wanted.id and changeset.version between wanted.first and wanted.last
  ) step
order by 1, 2;

select
  artifact.id,
  jsonb_build_object('id', tracker.id, 'label', tracker.label, 'color_name', tracker.color_name) as tracker,
  jsonb_build_object('id', project.id, 'label', project.label, 'icon', project.icon) as project
from
  artifact
  join tracker on tracker.id = artifact.tracker_id
  join project on project.id = artifact.project_id
  cross join (
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
  ) me
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
order by artifact.id;
