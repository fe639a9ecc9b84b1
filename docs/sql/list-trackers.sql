-- GET /projects/{id}/trackers
-- The trackers of a project that a member may see.
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
  project.id, project.shortname, project.label, project.icon, project.description, project.status,
  project.access, project.is_template, project.banner, project.version,
  coalesce(member.is_admin, false) as is_admin, coalesce(member.is_svn_admin, false) as is_svn_admin,
  (
    true
    and exists (
      select
      from project_member
      where project_member.project_id = project.id and project_member.account_id = $1
    )
  ) as is_member_of,
  (
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
            where project_member.project_id = project.id and project_member.account_id = $2
          )
        )
      )
    )
  ) as may_enter
from project left join project_member member on member.project_id = project.id and member.account_id = $3
where project.id = $4;

select counted.size, page.*
from
  (
    select count(*) as size
    from tracker join project on project.id = tracker.project_id
    where
      tracker.project_id = $1
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
                  where project_member.project_id = project.id and project_member.account_id = $2
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
                        where user_group.id = granted.group_id and user_group_member.account_id = $3::bigint
                      )
                      else exists (
                        select
                        from project_member
                        where
                          project_member.project_id = project.id
                          and project_member.account_id = $4::bigint
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
                    where user_group.id = 4 and user_group_member.account_id = $5::bigint
                  )
                  else exists (
                    select
                    from project_member
                    where
                      project_member.project_id = project.id
                      and project_member.account_id = $6::bigint
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
      and true
  ) counted
  left join lateral (
    select
      tracker.id, tracker.label,
      concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
    from tracker join project on project.id = tracker.project_id
    where
      tracker.project_id = $7
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
                  where project_member.project_id = project.id and project_member.account_id = $8
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
                        where user_group.id = granted.group_id and user_group_member.account_id = $9::bigint
                      )
                      else exists (
                        select
                        from project_member
                        where
                          project_member.project_id = project.id
                          and project_member.account_id = $10::bigint
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
                    where user_group.id = 4 and user_group_member.account_id = $11::bigint
                  )
                  else exists (
                    select
                    from project_member
                    where
                      project_member.project_id = project.id
                      and project_member.account_id = $12::bigint
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
      and true
      and true
    order by tracker.label collate waypost, tracker.id
    limit $13
    offset $14
  ) page on true
order by page.label collate waypost, page.id;

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

-- 2 times:
select "version"
from "tracker_rank"
where "tracker_id" = $1;

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

select
  tracker.id, tracker.label, tracker.color_name,
  jsonb_build_object('id', project.id, 'label', project.label, 'icon', project.icon) as project
from tracker join project on project.id = tracker.project_id
where
  tracker.id in ($1)
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
              where project_member.project_id = project.id and project_member.account_id = $2
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
                    where user_group.id = granted.group_id and user_group_member.account_id = $3::bigint
                  )
                  else exists (
                    select
                    from project_member
                    where
                      project_member.project_id = project.id
                      and project_member.account_id = $4::bigint
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
                where user_group.id = 4 and user_group_member.account_id = $5::bigint
              )
              else exists (
                select
                from project_member
                where
                  project_member.project_id = project.id
                  and project_member.account_id = $6::bigint
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
  );

select "version"
from "tracker_rank"
where "tracker_id" = $1;

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
