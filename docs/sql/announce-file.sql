-- POST /tracker_fields/{id}/files
-- A browser announces an upload.
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

select "tracker_id"
from "tracker_part"
where "id" = $1 and "kind" = $2;

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

select pg_advisory_xact_lock(hashtextextended ($1, 0));

select coalesce(sum(size), 0)::bigint as usage
from file
where uploader_id = $1 and not is_attached and expires_on > $2;

select
  file.id, file.uploader_id, file.name, file.media_type, file.description, file.field_id, file.size,
  file.received, file.chunks, file.last_chunk, file.digest, file.is_attached, file.created_on, file.expires_on
from file
where
  (file.uploader_id = $1 and not file.is_attached and file.expires_on > $2)
  and file.field_id = $3
  and file.name = $4
  and file.size = $5
  and file.received < file.size
order by file.id desc
limit 1;

commit;
