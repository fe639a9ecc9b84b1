-- GET /events
-- A consumer reads a page of the feed.
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

with
  feed as materialized (
    select
      feed_epoch.epoch,
      jsonb_build_object(
        'position',
        coalesce(
          (
            select event_position.position - 1
            from event_position
            where exists (select from event where event.id = event_position.event_id offset 0)
            order by event_position.position
            limit 1
          ), feed_sequence.position
        )
      ) as removed, jsonb_build_object('position', feed_sequence.position) as horizon,
      (
        feed_sequence.target is not null
        or exists (
          select
          from
            (
              (
                select event.id, event."on"
                from event
                where
                  event.tx >= pg_snapshot_xmax(feed_sequence.snapshot)
                  and event.tx < pg_snapshot_xmax(pg_current_snapshot())
                order by event.tx, event.id
                limit 1
              )
              union all
              (
                select event.id, event."on"
                from event
                where
                  event.tx = any (
                    array(
                      select running.tx
                      from unnest(array(select pg_snapshot_xip(feed_sequence.snapshot))) as running (tx)
                      where pg_visible_in_snapshot(running.tx, pg_current_snapshot())
                    )
                  )
                order by event.tx, event.id
                limit 1
              )
            ) fresh
        )
      ) as is_behind
    from feed_epoch cross join feed_sequence
  ),
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
  looked as materialized (
    select
      event_position.position, event.id, event.xid, event.type, event."on", event.object, event.project_id,
      event.actor_id, event.request_id, event.client_uuid, event.payload
    from event_position join event on event.id = event_position.event_id
    where event_position.position > $6::bigint
    order by event_position.position
    limit $7
  ), candidate as materialized (select looked.* from looked where looked.type = any ($8::text[])),
  /* Once for all: few new events are expected by the statistics, and would be checked anew for each candidate. */
  seen as materialized (
    select candidate.id, project.id as project_id, null::bigint as tracker_id, null::text as stamp
    from candidate join project on project.id = candidate.project_id cross join me
    where
      case
        when candidate.type in ('project.created', 'project.changed', 'project.imported') then (
          true
          and (
            (project.status in ('active', 'archived') and project.access in ('public', 'unrestricted'))
            or (project.status in ('active', 'archived', 'importing') and project.id = any (me.member_of))
          )
        )
        when candidate.type in ('member.added', 'member.removed') then (
          true
          and (
            (project.status in ('active', 'archived') and project.access in ('public', 'unrestricted'))
            or (project.status in ('active', 'archived', 'importing') and project.id = any (me.member_of))
          )
        )
        and (project.id = any (me.admin_of) or (candidate.payload ->> 'account_id')::bigint = $9::bigint)
        when candidate.type = 'rights.changed'
        and not candidate.payload ? 'tracker_id' then true
        and case
          when candidate.payload ? 'account_ids' then candidate.payload -> 'account_ids' @> to_jsonb($10::bigint)
          else (
            true
            and (
              (project.status in ('active', 'archived') and project.access in ('public', 'unrestricted'))
              or (project.status in ('active', 'archived', 'importing') and project.id = any (me.member_of))
            )
          )
          or project.id = any (me.member_of)
        end
        else false
      end
    union all
    select
      candidate.id, project.id as project_id,
      case
        when (
          project.id = any (me.admin_of)
          or tracker.id is not null
          and exists (
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
          )
        ) then tracker.id
      end as tracker_id, null::text as stamp
    from
      candidate
      left join tracker on tracker.id = (candidate.payload ->> 'tracker_id')::bigint
      join project on project.id = candidate.project_id
      cross join me
    where
      case
        when candidate.type like 'tracker.%' then (
          true
          and (
            (project.status in ('active', 'archived') and project.access in ('public', 'unrestricted'))
            or (project.status in ('active', 'archived', 'importing') and project.id = any (me.member_of))
          )
        )
        and (
          project.id = any (me.admin_of)
          or tracker.id is not null
          and exists (
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
          )
        )
        when candidate.type = 'rights.changed'
        and candidate.payload ? 'tracker_id' then (
          true
          and (
            (project.status in ('active', 'archived') and project.access in ('public', 'unrestricted'))
            or (project.status in ('active', 'archived', 'importing') and project.id = any (me.member_of))
          )
        )
        or project.id = any (me.member_of)
        else false
      end
    union all
    select
      candidate.id, project.id as project_id, tracker.id as tracker_id,
      concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
    from
      candidate
      left join artifact on artifact.id = case
        when (
          candidate.type like 'artifact.%'
          or candidate.type like 'comment.%'
        ) then split_part(candidate.object, '/', 2)::bigint
      end
      join tracker on tracker.id = coalesce(artifact.tracker_id, (candidate.payload ->> 'tracker_id')::bigint)
      join project on project.id = tracker.project_id
      cross join me
      left join (
        select
          tracker.id,
          array(
            select (element ->> 'id')::bigint
            from jsonb_array_elements(tracker.structure -> 'elements') element
            where
              (element ->> 'is_used')::boolean
              and (
                element -> 'rights' = 'null'
                or array(
                  select
                    jsonb_array_elements_text((element -> 'rights' -> 'read') || (element -> 'rights' -> 'update'))::bigint
                ) && mine.groups
              )
          ) as fields
        from
          tracker
          join project on project.id = tracker.project_id
          cross join me
          cross join lateral (
            select
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
              ) as groups
            offset 0
          ) mine
        where
          tracker.id in (
            select changed.tracker_id
            from
              candidate
              join artifact changed on changed.id = case
                when candidate.type = 'artifact.updated' then split_part(candidate.object, '/', 2)::bigint
              end
          )
      ) readable on readable.id = tracker.id
    where
      (candidate.type like 'artifact.%' or candidate.type like 'comment.%')
      and case
        when artifact.id is null then (
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
                and granted.kind = 'admin'
            )
          )
        )
        else (
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
                    when 'submitted_by_user' then artifact.submitted_by = $11::bigint
                    when 'submitted_by_group' then account_in_group (artifact.submitted_by, project.id, granted.group_id)
                    when 'assigned_to_group' then assigned_in_group (artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
                    else false
                  end
                )
            )
          )
        )
      end
      and (
        candidate.type not like 'comment.%'
        or not candidate.payload ? 'comment_groups'
        or (
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
                and granted.kind = 'admin'
            )
          )
        )
        or (
          candidate.project_id = project.id
          and (
            array(
              select jsonb_array_elements_text(candidate.payload -> 'comment_groups')::bigint
            ) && '{1,2,5}'::bigint[]
            or array(
              select jsonb_array_elements_text(candidate.payload -> 'comment_groups')::bigint
            ) && me.groups
            or 3 = any (
              array(select jsonb_array_elements_text(candidate.payload -> 'comment_groups')::bigint)
            )
            and project.id = any (me.member_of)
            or 4 = any (
              array(select jsonb_array_elements_text(candidate.payload -> 'comment_groups')::bigint)
            )
            and project.id = any (me.admin_of)
            or 19 = any (
              array(select jsonb_array_elements_text(candidate.payload -> 'comment_groups')::bigint)
            )
            and project.id = any (me.svn_admin_of)
          )
        )
      )
      and (
        candidate.type <> 'artifact.updated'
        or artifact.id is null
        or false
        or (
          jsonb_array_length(coalesce(candidate.payload -> 'changed', '[]')) = 0
          and not coalesce((candidate.payload -> 'has_comment')::boolean, false)
          or readable.fields && array(
            select jsonb_array_elements_text(candidate.payload -> 'changed')::bigint
          )
        )
        or coalesce((candidate.payload -> 'has_comment')::boolean, false)
        and (
          not candidate.payload ? 'comment_groups'
          or (
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
                  and granted.kind = 'admin'
              )
            )
          )
          or (
            candidate.project_id = project.id
            and (
              array(
                select jsonb_array_elements_text(candidate.payload -> 'comment_groups')::bigint
              ) && '{1,2,5}'::bigint[]
              or array(
                select jsonb_array_elements_text(candidate.payload -> 'comment_groups')::bigint
              ) && me.groups
              or 3 = any (
                array(select jsonb_array_elements_text(candidate.payload -> 'comment_groups')::bigint)
              )
              and project.id = any (me.member_of)
              or 4 = any (
                array(select jsonb_array_elements_text(candidate.payload -> 'comment_groups')::bigint)
              )
              and project.id = any (me.admin_of)
              or 19 = any (
                array(select jsonb_array_elements_text(candidate.payload -> 'comment_groups')::bigint)
              )
              and project.id = any (me.svn_admin_of)
            )
          )
        )
      )
    union all
    select candidate.id, project.id as project_id, null::bigint as tracker_id, null::text as stamp
    from candidate join project on project.id = candidate.project_id cross join me
    where
      (
        true
        and (
          (project.status in ('active', 'archived') and project.access in ('public', 'unrestricted'))
          or (project.status in ('active', 'archived', 'importing') and project.id = any (me.member_of))
        )
      )
      and case candidate.type
        when 'svn.created' then true
        when 'svn.deleted' then true
        when 'svn.commit' then $12::boolean
        when 'svn.changed' then (project.id = any (me.admin_of) or project.id = any (me.svn_admin_of))
        else false
      end
  ),
  page as (
    select
      row_number() over (order by candidate.position) as place,
      /* All rows, so that none is joined by itself. */
      to_jsonb(candidate.*) || jsonb_build_object('xid', candidate.xid::text) || to_jsonb(seen.*) as seen
    from candidate join seen on seen.id = candidate.id
    where true
    order by candidate.position
    limit $13
  )
select
  feed.*, (select count(*) from looked) as looked,
  (select jsonb_build_object('position', max(looked.position)) from looked having count(*) > 0) as last,
  page.seen
from feed left join page on true
order by page.place;

select
  account.id, account.login, account.real_name, account.ldap_id, account.has_avatar, account.avatar_key,
  account.erased_on is not null as is_erased
from account
where account.id = any ($1::bigint[]) and account.status not in ('P', 'V', 'W');
