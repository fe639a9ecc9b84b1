-- GET /crosstracker_query/content
-- A query in TQL on all trackers of a project.
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
  tracker.id,
  concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
from tracker join project on project.id = tracker.project_id
where
  (
    (
      (project.id = $1)
      or (folded (project.shortname) = any (select folded (name) from unnest($2::text[]) as name))
    )
    and true
  )
  and (
    tracker.deleted_on is null
    and (
      true
      and (
        (project.status in ('active', 'archived') and project.access in ('public', 'unrestricted'))
        or (
          project.status in ('active', 'archived', 'importing')
          and (
            true
            and exists (
              select
              from project_member
              where project_member.project_id = project.id and project_member.account_id = $3
            )
          )
        )
      )
    )
    and (
      exists (
        select
        from tracker_grant granted
        where
          granted.tracker_id = tracker.id
          and (
            true
            and (
              granted.group_id in (1, 2, 5)
              or (
                case
                  when granted.group_id > 100 then exists (
                    select
                    from
                      user_group
                      join user_group_member on user_group_member.user_group_id = coalesce(user_group.bound_to, user_group.id)
                    where user_group.id = granted.group_id and user_group_member.account_id = $4::bigint
                  )
                  else exists (
                    select
                    from project_member
                    where
                      project_member.project_id = project.id
                      and project_member.account_id = $5::bigint
                      and case granted.group_id
                        when 3 then true
                        when 4 then project_member.is_admin
                        when 19 then project_member.is_svn_admin
                        else false
                      end
                  )
                end
              )
            )
          )
      )
      or (
        true
        and (
          4 in (1, 2, 5)
          or (
            case
              when 4 > 100 then exists (
                select
                from
                  user_group
                  join user_group_member on user_group_member.user_group_id = coalesce(user_group.bound_to, user_group.id)
                where user_group.id = 4 and user_group_member.account_id = $6::bigint
              )
              else exists (
                select
                from project_member
                where
                  project_member.project_id = project.id
                  and project_member.account_id = $7::bigint
                  and case 4
                    when 3 then true
                    when 4 then project_member.is_admin
                    when 19 then project_member.is_svn_admin
                    else false
                  end
              )
            end
          )
        )
      )
    )
  )
order by tracker.id
limit $8;

/* planned anew */
with
  fitting as materialized (
    select
      artifact.id,
      (
        case artifact.tracker_id
          when $1::bigint then (
            nullif(left(coalesce(artifact.field_values -> $2 ->> $3, artifact.field_values ->> $4), 255), '') collate waypost
          )
          when $5::bigint then (
            nullif(left(coalesce(artifact.field_values -> $6 ->> $7, artifact.field_values ->> $8), 255), '') collate waypost
          )
          when $9::bigint then (
            nullif(left(coalesce(artifact.field_values -> $10 ->> $11, artifact.field_values ->> $12), 255), '') collate waypost
          )
          when $13::bigint then (
            nullif(left(coalesce(artifact.field_values -> $14 ->> $15, artifact.field_values ->> $16), 255), '') collate waypost
          )
          when $17::bigint then (
            nullif(left(coalesce(artifact.field_values -> $18 ->> $19, artifact.field_values ->> $20), 255), '') collate waypost
          )
          else null::text
        end
      ) as "key_0"
    from artifact
    where
      (artifact.deleted_on is null and (artifact.tracker_id = any ($21::bigint[])))
      and ("artifact"."id" is not null and "artifact"."id" >= $22)
      and true
  ), sized as materialized (select (select count(*) from fitting)::bigint as size)
select
  array(
    select concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch)
    from tracker join project on project.id = tracker.project_id
    where tracker.id = any ($23::bigint[])
    order by tracker.id
  ) as stamps, (select sized.size from sized) as size,
  (
    select coalesce(json_agg(found), '[]')
    from
      (
        select fitting.id, array[("fitting"."key_0")::text, ("fitting"."id")::text] as place
        from fitting
        where true
        order by "fitting"."key_0" asc nulls last, "fitting"."id" asc
        limit $24
        offset $25
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
select
  main.id,
  (
    select count(*)
    from
      artifact_link link
      join artifact on artifact.id = link.target_id
      join tracker on tracker.id = artifact.tracker_id
      join project on project.id = artifact.project_id
      cross join me
    where
      link.source_id = main.id
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
                    when 'submitted_by_user' then artifact.submitted_by = $6::bigint
                    when 'submitted_by_group' then account_in_group (artifact.submitted_by, project.id, granted.group_id)
                    when 'assigned_to_group' then assigned_in_group (artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
                    else false
                  end
                )
            )
          )
        )
      )
  ) as forward,
  (
    select count(*)
    from
      artifact_link link
      join artifact on artifact.id = link.source_id
      join tracker on tracker.id = artifact.tracker_id
      join project on project.id = artifact.project_id
      cross join me
    where
      link.target_id = main.id
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
  ) as reverse
from unnest($8::bigint[]) as main (id);
