-- GET /trackers/{id}/trash
-- An administrator opens the trash of a tracker.
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

with
  found as (
    select each.*, coalesce((extract(epoch from each.deleted_on) * 1000000)::bigint, 0) as at
    from
      (
        select
          'artifact' as type, artifact.id, null::text as label, artifact.project_id, artifact.tracker_id,
          artifact.deleted_by, artifact.deleted_on
        from artifact
        where artifact.deleted_on is not null
        union all
        select
          'tracker' as type, tracker.id, tracker.label, tracker.project_id, tracker.id as tracker_id,
          tracker.deleted_by, tracker.deleted_on
        from tracker
        where tracker.deleted_on is not null
        union all
        select
          'project' as type, project.id, project.label, project.id as project_id, null::bigint as tracker_id,
          project.deleted_by, project.deleted_on
        from project
        where (project.status = 'deleted' and project.purge_begun_on is null)
        union all
        select
          'repository' as type, repository.id, repository.name as label, repository.project_id,
          null::bigint as tracker_id, repository.deleted_by, repository.deleted_on
        from repository
        where repository.deleted_on is not null
      ) each
      join project on project.id = each.project_id
    where
      (each.type = 'project' or (project.status <> 'deleted'))
      and (each.tracker_id = $1 and each.type = 'artifact')
  )
select counted.size, page.*
from
  (select count(*) as size from found) counted
  left join lateral (
    select found.*, project.label as project_label
    from found join project on project.id = found.project_id
    where true
    order by found.at desc, found.type desc, found.id desc
    limit $2
    offset $3
  ) page on true
order by page.at desc, page.type desc, page.id desc;

select
  artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank, artifact.version,
  artifact.field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
  artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified
from artifact
where artifact.id = any ($1::bigint[]);

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
  account.id, account.login, account.real_name, account.ldap_id, account.has_avatar, account.avatar_key,
  account.erased_on is not null as is_erased, account.email, account.status, account.time_zone,
  account.language, account.text_format, account.pending_email, account.is_site_admin, account.version
from account
where account.id = any ($1::bigint[]);
