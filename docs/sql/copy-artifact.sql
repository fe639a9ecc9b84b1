-- POST /artifacts/{id}/copy
-- A member copies an artifact within its tracker.
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

begin;

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
      artifact.id = $6
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
        where account.id = any (main.people || main.submitted_by || main.last_update_by || $8::bigint)
      ) each
  ) as persons,
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

select
  concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp,
  (
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
              where project_member.project_id = project.id and project_member.account_id = $1
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
                    where user_group.id = granted.group_id and user_group_member.account_id = $2::bigint
                  )
                  else exists (
                    select
                    from project_member
                    where
                      project_member.project_id = project.id
                      and project_member.account_id = $3::bigint
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
                where user_group.id = 4 and user_group_member.account_id = $4::bigint
              )
              else exists (
                select
                from project_member
                where
                  project_member.project_id = project.id
                  and project_member.account_id = $5::bigint
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
  ) as may_see, project.status = 'suspended'
  and (
    true
    and exists (
      select
      from project_member
      where project_member.project_id = project.id and project_member.account_id = $6
    )
  )
  and tracker.deleted_on is null
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
                  where user_group.id = granted.group_id and user_group_member.account_id = $7::bigint
                )
                else exists (
                  select
                  from project_member
                  where
                    project_member.project_id = project.id
                    and project_member.account_id = $8::bigint
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
              where user_group.id = 4 and user_group_member.account_id = $9::bigint
            )
            else exists (
              select
              from project_member
              where
                project_member.project_id = project.id
                and project_member.account_id = $10::bigint
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
  ) as is_suspended
from tracker join project on project.id = tracker.project_id
where tracker.id = $11;

select
  tracker.id, tracker.project_id, tracker.item_name, tracker.label, tracker.description, tracker.color_name,
  tracker.parent_id, tracker.version, tracker.rights_epoch, tracker.structure,
  concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp,
  json_build_object(
    'are_complete',
    not exists (
      select
      from back_fill
      where back_fill.name = $1 and back_fill.scope = 0 and back_fill.phase <> 'verified'
    ), 'have_titles',
    not exists (
      select
      from back_fill
      where back_fill.name = $2 and back_fill.scope = tracker.id and back_fill.phase <> 'verified'
    )
  ) as summaries,
  jsonb_build_object(
    'id', project.id, 'shortname', project.shortname, 'label', project.label, 'icon', project.icon, 'status',
    project.status, 'rights_epoch', project.rights_epoch, 'groups',
    coalesce(
      (
        select
          jsonb_agg(
            jsonb_build_object('id', user_group.id, 'short_name', user_group.short_name)
            order by folded (user_group.short_name), user_group.id
          )
        from user_group
        where user_group.project_id = project.id
      ), '[]'
    )
  ) || jsonb_build_object(
    'item_names',
    array(
      select
        jsonb_build_object(
          'name', lower(other.item_name), 'groups',
          array(
            select distinct granted.group_id
            from tracker_grant granted
            where granted.tracker_id = other.id
          )
        )
      from tracker other
      where other.project_id = project.id and other.deleted_on is null
    )
  ) as project
from tracker join project on project.id = tracker.project_id
where tracker.id = $3;

select dynamic.number::bigint as number
from
  project_member,
  lateral (
    values (3, true), (4, project_member.is_admin), (19, project_member.is_svn_admin)
  ) as dynamic (number, is_in)
where project_member.project_id = $1 and project_member.account_id = $2 and dynamic.is_in
union all
select user_group.id
from
  user_group
  join user_group_member on user_group_member.user_group_id = coalesce(user_group.bound_to, user_group.id)
where user_group.project_id = $3 and user_group_member.account_id = $4;

select
  link_type.shortname, link_type.is_reserved, not link_type.is_system
  and exists (
    select
    from disabled_link_type disabled
    where disabled.project_id = $1 and disabled.shortname = link_type.shortname
  ) as is_disabled
from link_type;

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
        union all
        select
          'comment.added', 'artifacts/' || id, project_id,
          jsonb_build_object('version', version, 'tracker_id', tracker_id) || $23::jsonb
        from after
      ) as candidate (type, object, project_id, payload)
  ),
  ids_added as (
    insert into value_index (project_id, field_id, value, artifact_id)
    select project_id, come.field_id, come.value, id
    from after, unnest($24::bigint[], $25::bigint[]) as come (field_id, value)
  ),
  references_added as (
    insert into
      artifact_reference (project_id, artifact_id, field_id, changeset_id, ref, keyword, value, of_project, target_id)
    select
      after.project_id, after.id, come.field_id, case come.field_id when 0 then history.id else 0 end,
      come.ref, come.keyword, come.value,
      coalesce(
        come.of_id,
        (select named.id from project named where folded (named.shortname) = folded (come.of_name))
      ), come.target_id
    from
      after
      cross join history,
      unnest($26::bigint[], $27::text[], $28::text[], $29::text[], $30::bigint[], $31::text[], $32::bigint[]) with ordinality as come (field_id, ref, keyword, value, of_id, of_name, target_id, at)
    where
      true
      and (
        come.of_id is not null
        or (
          select named.id
          from project named
          where folded (named.shortname) = folded (come.of_name)
        ) is not null
      )
      and true
    on conflict do nothing
  ),
  words_written as (
    insert into artifact_words (artifact_id, project_id, words)
    select id, project_id, words_of (field_values, $33::bigint[])
    from
      (
        select after.id, after.project_id, after.field_values
        from after
      ) as come (id, project_id, field_values)
    on conflict (artifact_id) do update
    set words = excluded.words
  )
select *
from after;

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
      artifact.id = $6
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
        where account.id = any (main.people || main.submitted_by || main.last_update_by || $8::bigint)
      ) each
  ) as persons,
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

commit;
