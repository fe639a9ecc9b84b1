-- GET /projects
-- The projects that a person may enter.
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

select counted.size, page.*
from
  (
    select
      (
        select
          (
            select sum(listed)::bigint
            from project_count
            where access in ($1, $2)
          ) + (
            select count(*)
            from project_member member join project on project.id = member.project_id
            where
              member.account_id = $3
              and project.status = 'active'
              and project.id > 100
              and project.access in ($4, $5)
          )
      ) as size
  ) counted
  left join lateral (
    select
      project.id, project.shortname, project.label, project.icon, project.description, project.status,
      project.access, project.is_template,
      (
        true
        and exists (
          select
          from project_member
          where project_member.project_id = project.id and project_member.account_id = $6
        )
      ) as is_member_of
    from project
    where
      project.status = 'active'
      and project.id > 100
      and (
        project.access in ($7, $8)
        or (
          project.access in ($9, $10)
          and project.id in (
            select member.project_id
            from project_member member
            where member.account_id = $11
          )
        )
      )
      and true
    order by project.id
    limit $12
    offset $13
  ) page on true
order by page.id;

select "project_id", "name"
from "project_service"
where "project_id" in ($1, $2) and "is_enabled" = $3 and "name" in ($4, $5);
