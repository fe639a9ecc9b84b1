-- GET /trackers/{id}
-- The tracker is in the cache of the process.
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
