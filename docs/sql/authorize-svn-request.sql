-- authorizeSvnRequest
-- Apache asks for each request to a repository.
-- Written by `npm run sql`.

select version
from setting;

select
  repository.id,
  md5(
    concat_ws(
      ' ', $1::int, repository.id, repository.access_version, project.access,
      jsonb_build_object(
        'members',
        (
          select coalesce(jsonb_agg(named.login order by named.login), '[]')
          from
            (
              select account.id, account.login, account.status = 'R' as is_restricted
              from account
              where
                account.id in (
                  select project_member.account_id
                  from project_member
                  where project_member.project_id = project.id
                )
            ) named
        ), 'groups',
        (
          select
            coalesce(
              jsonb_agg(
                jsonb_build_object('name', lower(user_group.short_name), 'logins', inside.logins)
                order by lower(user_group.short_name)
              ), '[]'
            )
          from
            user_group
            cross join lateral (
              select coalesce(jsonb_agg(named.login order by named.login), '[]') as logins
              from
                (
                  select account.id, account.login, account.status = 'R' as is_restricted
                  from account
                  where
                    account.id in (
                      select user_group_member.account_id
                      from user_group_member
                      where user_group_member.user_group_id = coalesce(user_group.bound_to, user_group.id)
                    )
                ) named
              where
                case
                  when exists (
                    select
                    from project_member
                    where project_member.project_id = project.id and project_member.account_id = named.id
                  ) then not (
                    named.is_restricted
                    and project.access = 'private-wo-restr'
                  )
                  else project.access = 'unrestricted'
                  or project.access = 'public'
                  and not named.is_restricted
                end
            ) inside
          where user_group.project_id = project.id
        )
      )::text
    )
  ) as stamp, cardinality(repository.required_states) > 0 as is_tied_to_workflow,
  project.status as project_status
from repository join project on project.id = repository.project_id
where
  project.shortname = $2
  and repository.name = $3
  and repository.deleted_on is null
  and exists (
    select
    from project_service
    where project_service.project_id = project.id and project_service.name = $4 and project_service.is_enabled
  )
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
            where project_member.project_id = project.id and project_member.account_id = $5
          )
        )
      )
    )
  );

select
  account.id as account_id, account.login, account.status, account.is_site_admin, account.time_zone,
  account.language, account.text_format, account.password_expires_on, account.email, account.password_hash,
  link.directory, link.entry_id,
  case
    when link.directory is null then concat('hash ', account.password_hash)
    else concat_ws(
      '.', pg_postmaster_start_time(), account.xmin, link.xmin,
      (select directory.xmin from directory where directory.name = link.directory)
    )
  end as password_stamp, (select setting.version from setting) as settings_version
from account left join directory_account link on link.account_id = account.id
where
  account.id = any (
    array(
      select id
      from account
      where login = $1
      union
      select account_id
      from directory_account
      where login = $2
    )
  );
