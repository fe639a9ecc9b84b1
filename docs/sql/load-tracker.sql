-- GET /trackers/{id} before another process
-- The first request to a new process, whose caches are empty.
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

select concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
from tracker join project on project.id = tracker.project_id
where tracker.id = $1;

select
  tracker.id,
  concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp,
  case
    when tracker.deleted_on is not null
    or not (
      true
      and (
        (project.status in ('active', 'archived') and project.access in ('public', 'unrestricted'))
        or (project.status in ('active', 'archived', 'importing') and project.id = any (me.member_of))
      )
    ) then 'none'
    when (
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
          and granted.kind = 'admin'
      )
    ) then 'all'
    when exists (
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
        and granted.kind = 'full'
    ) then case
      when tracker.restriction_field_id is null then 'all'
      else 'unrestricted'
    end
    when exists (
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
        and true
    ) then 'partial'
    else 'none'
  end as sees,
  (
    '{1,2,5}'::bigint[] || case
      when project.id = any (me.member_of) then '{3}'::bigint[]
    end || case
      when project.id = any (me.admin_of) then '{4}'::bigint[]
    end || case
      when project.id = any (me.svn_admin_of) then '{19}'::bigint[]
    end || array(
      select user_group.id
      from user_group
      where user_group.project_id = project.id and user_group.id = any (me.groups)
    )
  ) as groups,
  jsonb_build_object('id', tracker.id, 'label', tracker.label, 'color_name', tracker.color_name) as tracker,
  jsonb_build_object('id', project.id, 'label', project.label, 'icon', project.icon) as project
from
  tracker
  join project on project.id = tracker.project_id
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
where tracker.id = any ($6::bigint[]);

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

select *
from
  (
    (
      select
        $1::text as key, account.id, account.login, account.real_name, account.ldap_id, account.has_avatar,
        account.avatar_key, account.erased_on is not null as is_erased, account.email, account.status,
        account.time_zone, account.language, account.text_format, account.pending_email,
        account.is_site_admin, account.version
      from account
      where
        (
          (
            account.status in ('A', 'R')
            and (
              account.id in (
                select member.account_id
                from project_member member
                where
                  member.project_id = $2
                  and (
                    $3::boolean
                    or ($4::boolean and member.is_admin)
                    or ($5::boolean and member.is_svn_admin)
                  )
                union
                select user_group_member.account_id
                from
                  user_group
                  join user_group_member on user_group_member.user_group_id = coalesce(user_group.bound_to, user_group.id)
                where user_group.project_id = $6 and user_group.id = any ($7::bigint[])
              )
              or account.id in (
                select artifact.submitted_by
                from artifact
                where
                  artifact.tracker_id = $8
                  and artifact.deleted_on is null
                  and artifact.submitted_by is not null
              )
            )
          )
          and account.status not in ('P', 'V', 'W')
        )
      order by account.login
      limit $9
    )
  ) listed
order by listed.key, listed.login;

select link_type.shortname, link_type.forward_label, link_type.reverse_label
from link_type
where
  link_type.is_system
  or not exists (
    select
    from disabled_link_type disabled
    where disabled.project_id = $1 and disabled.shortname = link_type.shortname
  )
order by not link_type.is_system, link_type.shortname;

select "version"
from "tracker_rank"
where "tracker_id" = $1;
