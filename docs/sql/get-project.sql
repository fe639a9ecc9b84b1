-- GET /projects/{id}
-- A member opens a project.
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

select "project_id", "name"
from "project_service"
where "project_id" in ($1) and "is_enabled" = $2 and "name" in ($3, $4);
