-- GET /trackers/{id}/artifacts?expert_query=…
-- A query in TQL, sorted by a date.
-- Written by `npm run sql`.

select
  account.id as account_id, account.login, account.status, account.is_site_admin, account.time_zone,
  account.language, account.text_format, account.password_expires_on, access_key.id as key_id,
  access_key.prefix, access_key.digest, access_key.scopes, access_key.projects, access_key.expires_on,
  access_key.is_over, access_key.last_used_on, access_key.last_used_by,
  (select setting.version from setting) as settings_version,
  concat_ws(
    '.', pg_postmaster_start_time(), access_key.xmin, account.xmin, (select setting.version from setting)
  ) as stamp
from access_key join account on account.id = access_key.account_id
where access_key.id <= $1
order by access_key.id desc
limit 1;

select concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
from tracker join project on project.id = tracker.project_id
where tracker.id = $1;

/* planned anew */
with
  fitting as materialized (
    select artifact.id, "sort_0"."value" as "key_0"
    from
      artifact_summary artifact
      left join "number_index" "sort_0" on "sort_0"."artifact_id" = artifact.id
      and "sort_0"."field_id" = $1
    where
      ((artifact.tracker_id = $2 and artifact.deleted_on is null) and true)
      and (
        (
          case
            when artifact.folded_title is not null then artifact.folded_title like caseless ($3)
            when artifact.title is null then false
            else exists (
              select
              from artifact worded
              where
                worded.id = artifact.id
                and coalesce(caseless (coalesce(worded.field_values -> $4 ->> $5, worded.field_values ->> $6)) like caseless ($7), false)
            )
          end
        )
        and exists (
          select
          from number_index
          where
            number_index.artifact_id = artifact.id
            and number_index.field_id = $8
            and (number_index.value is not null and number_index.value > $9)
        )
        and exists (
          select
          from value_index
          where
            value_index.artifact_id = artifact.id
            and value_index.field_id = $10
            and value_index.value = $11::bigint
        )
      )
      and true
  ), sized as materialized (select (select count(*) from fitting)::bigint as size)
select
  array(
    select concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch)
    from tracker join project on project.id = tracker.project_id
    where tracker.id = any ($12::bigint[])
    order by tracker.id
  ) as stamps, (select sized.size from sized) as size,
  (
    select coalesce(json_agg(found), '[]')
    from
      (
        select fitting.id, array[("fitting"."key_0")::text, ("fitting"."id")::text] as place
        from fitting
        where true
        order by "fitting"."key_0" desc nulls last, "fitting"."id" asc
        limit $13
        offset $14
      ) found
  ) as found;

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
      artifact.field_values - $6::text[] as field_values, artifact.people, artifact.restricted_to,
      artifact.submitted_by, artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date,
      artifact.last_modified,
      concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
    from
      artifact
      join tracker on tracker.id = artifact.tracker_id
      join project on project.id = artifact.project_id
      cross join me
    where
      artifact.id = any ($7::bigint[])
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
            account.erased_on is not null as is_erased, account.email, account.status, account.time_zone,
            account.language, account.text_format, account.pending_email, account.is_site_admin,
            account.version
          from account
          where
            account.id = any (
              array(
                select distinct unnest(main.people || main.submitted_by || main.last_update_by || $9::bigint)
                from main
              )
            )
        ) each
    )
  end as persons, '[]'::json as forward, '[]'::json as reverse, '[]'::json as outgoing, '[]'::json as incoming
from main;
