-- GET /trackers/{id}/artifacts
-- The first page of a tracker, with all values.
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

/* planned anew */
with
  fitting as materialized (
    select artifact.id
    from artifact_summary artifact
    where ((artifact.tracker_id = $1 and artifact.deleted_on is null) and true) and true and true
  ),
  sized as materialized (
    select
      (
        (
          (
            select
              (
                (
                  select tracker_counter.artifacts
                  from tracker_counter
                  where tracker_counter.tracker_id = tracker.id
                ) - (
                  select count(*)
                  from artifact
                  where
                    (artifact.tracker_id = $2 and artifact.deleted_on is null)
                    and artifact.restricted_to is not null
                    and not true
                )
              )
            from tracker join project on project.id = tracker.project_id
            where tracker.id = $3
          )
        )
      )::bigint as size
  )
select
  array(
    select concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch)
    from tracker join project on project.id = tracker.project_id
    where tracker.id = any ($4::bigint[])
    order by tracker.id
  ) as stamps, (select sized.size from sized) as size,
  case
    when (
      select sized.size
      from sized
    ) > least(
      $5,
      (
        select
          sum(
            (
              select tracker_counter.artifacts
              from tracker_counter
              where tracker_counter.tracker_id = tracker.id
            )
          ) / 4
        from tracker join project on project.id = tracker.project_id
        where tracker.id = any ($6::bigint[])
      )
    ) then (
      select coalesce(json_agg(found), '[]')
      from
        (
          select fitting.id, array[("fitting"."id")::text] as place
          from
            (
              select artifact.id
              from artifact_summary artifact
              where ((artifact.tracker_id = $7 and artifact.deleted_on is null) and true) and true and true
            ) fitting
          where true
          order by "fitting"."id" asc
          limit $8
          offset $9
        ) found
    )
    else (
      select coalesce(json_agg(found), '[]')
      from
        (
          select fitting.id, array[("fitting"."id")::text] as place
          from fitting
          where true
          order by "fitting"."id" asc
          limit $10
          offset $11
        ) found
    )
  end as found;

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
  end as persons,
  (
    select coalesce(json_agg(each), '[]')
    from
      (
        select
          artifact.id, link.type,
          jsonb_build_object('id', tracker.id, 'label', tracker.label, 'color_name', tracker.color_name) as tracker,
          jsonb_build_object('id', project.id, 'label', project.label, 'icon', project.icon) as project,
          case link.type
            when '_is_child' then jsonb_build_object(
              'values', artifact.field_values, 'stamp',
              concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch),
              'submitted_on', artifact.submitted_on
            )
          end as child
        from
          artifact_link link
          cross join lateral (select * from artifact where artifact.id = link.target_id offset 0) artifact
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
                        when 'submitted_by_user' then artifact.submitted_by = $9::bigint
                        when 'submitted_by_group' then account_in_group (artifact.submitted_by, project.id, granted.group_id)
                        when 'assigned_to_group' then assigned_in_group (artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
                        else false
                      end
                    )
                )
              )
            )
          )
        order by link.target_id
      ) each
  ) as forward,
  (
    select coalesce(json_agg(each), '[]')
    from
      (
        select
          artifact.id, link.type,
          jsonb_build_object('id', tracker.id, 'label', tracker.label, 'color_name', tracker.color_name) as tracker,
          jsonb_build_object('id', project.id, 'label', project.label, 'icon', project.icon) as project
        from
          artifact_link link
          cross join lateral (select * from artifact where artifact.id = link.source_id offset 0) artifact
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
        order by link.source_id
      ) each
  ) as reverse,
  (
    select coalesce(json_agg(each), '[]')
    from
      (
        select
          reference.ref, reference.keyword, reference.value, reference.of_project, reference.target_id,
          reference.field_id, changeset.comment_groups
        from artifact_reference reference left join changeset on changeset.id = reference.changeset_id
        where
          reference.artifact_id = main.id
          and (
            reference.target_id is null
            and reference.of_project = main.project_id
            and not reference.keyword = '@'
            or exists (
              select
              from
                artifact
                join tracker on tracker.id = artifact.tracker_id
                join project on project.id = artifact.project_id
                cross join me
              where
                artifact.id = reference.target_id
                and (
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
                              when 'submitted_by_user' then artifact.submitted_by = $11::bigint
                              when 'submitted_by_group' then account_in_group (artifact.submitted_by, project.id, granted.group_id)
                              when 'assigned_to_group' then assigned_in_group (artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
                              else false
                            end
                          )
                      )
                    )
                  )
                )
                and (
                  reference.of_project in (main.project_id, artifact.project_id)
                  or reference.keyword = '@'
                )
            )
          )
        order by reference.ref, reference.field_id, reference.changeset_id
      ) each
  ) as outgoing,
  (
    select coalesce(json_agg(each), '[]')
    from
      (
        select
          reference.artifact_id, artifact.project_id, artifact.tracker_id, reference.field_id,
          changeset.comment_groups,
          concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
        from
          artifact_reference reference
          cross join lateral (
            select *
            from artifact
            where artifact.id = reference.artifact_id
            offset 0
          ) artifact
          join tracker on tracker.id = artifact.tracker_id
          join project on project.id = artifact.project_id
          cross join me
          left join changeset on changeset.id = reference.changeset_id
        where
          reference.target_id = main.id
          and (
            artifact.deleted_on is null
            and tracker.deleted_on is null
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
                        when 'submitted_by_user' then artifact.submitted_by = $12::bigint
                        when 'submitted_by_group' then account_in_group (artifact.submitted_by, project.id, granted.group_id)
                        when 'assigned_to_group' then assigned_in_group (artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
                        else false
                      end
                    )
                )
              )
            )
          )
        order by reference.artifact_id, reference.ref, reference.field_id, reference.changeset_id
      ) each
  ) as incoming
from main;
