-- planDeliveries
-- A worker finds a new event for a webhook.
-- Written by `npm run sql`.

select
  feed_sequence.turn, feed_sequence.position, pg_snapshot_xmax(feed_sequence.snapshot)::text as xmax,
  array(select pg_snapshot_xip(feed_sequence.snapshot)::text) as xip,
  feed_sequence.target is not null as is_draining
from feed_sequence;

/* planned anew */
with
  fresh as materialized (
    (
      select event.id, event."on"
      from event
      where event.tx >= $1::xid8 and event.tx < pg_snapshot_xmax(pg_current_snapshot())
      order by event.tx, event.id
      limit 5001
    )
    union all
    (
      select event.id, event."on"
      from event
      where
        event.tx = any (
          array(
            select running.tx
            from unnest($2::text[]::xid8[]) as running (tx)
            where pg_visible_in_snapshot(running.tx, pg_current_snapshot())
          )
        )
      order by event.tx, event.id
      limit 5001
    )
  ), counted as materialized (select count(*) as events, count(*) > $3::bigint as is_long from fresh),
  swapped as (
    update feed_sequence
    set
      turn = feed_sequence.turn + 1,
      position = feed_sequence.position + case when counted.is_long then 0 else counted.events end,
      snapshot = case when counted.is_long then feed_sequence.snapshot else pg_current_snapshot() end,
      target = case when counted.is_long then pg_current_snapshot() end,
      drained_id = case
        when counted.is_long then (
          select min(backlog.id) - 1
          from
            (
              (
                select event.id, event."on"
                from event
                where event.tx >= $4::xid8 and event.tx < pg_snapshot_xmax(pg_current_snapshot())
                order by event.tx, event.id
              )
              union all
              (
                select event.id, event."on"
                from event
                where
                  event.tx = any (
                    array(
                      select running.tx
                      from unnest($5::text[]::xid8[]) as running (tx)
                      where pg_visible_in_snapshot(running.tx, pg_current_snapshot())
                    )
                  )
                order by event.tx, event.id
              )
            ) backlog
        )
        else 0
      end
    from counted
    where feed_sequence.turn = $6::bigint and counted.events > 0
    returning
      feed_sequence.turn,
      case
        when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', true)
      end
  ),
  placed as (
    insert into event_position (position, event_id)
    select $7::bigint + row_number() over (order by fresh.id), fresh.id
    from swapped, counted, fresh
    where not counted.is_long
  )
select
  case
    when counted.events = 0
    or not counted.is_long
    and exists (select from swapped) then 'done'
    when exists (select from swapped) then 'draining'
    else 'lost'
  end as outcome
from counted;

select webhook.id
from webhook join project on project.id = webhook.project_id
where
  webhook.active
  and (project.status <> 'deleted')
  and coalesce(
    (
      select true
      from
        event_position
        cross join lateral (
          select
          from event
          where
            event.id = event_position.event_id
            and (event.xid, event.id) > (webhook.place_xid, webhook.place_id)
            and event.type = any (webhook.events)
            and webhook.project_id in (event.project_id, (event.payload #>> '{from,project_id}')::bigint)
          limit 1
        ) matching
      where event_position.position > webhook.place_position
      order by event_position.position
      limit 1
    ), false
  )
  and (
    (
      select count(*)
      from webhook_delivery
      where webhook_delivery.webhook_id = webhook.id and webhook_delivery.state in ('waiting', 'retrying')
    ) < $1
  )
order by webhook.place_position
limit $2;

begin;

select
  webhook.id, webhook.project_id, webhook.tracker_id, webhook.url, webhook.events, webhook.format,
  webhook.payload, webhook.as_user, webhook.ordered, webhook.active, webhook.state, webhook.last_status,
  webhook.place_position, webhook.place_xid::text as place_xid, webhook.place_id, webhook.version,
  webhook.created_by, coalesce(webhook.owner_id, webhook.created_by) as owner_id, webhook.created_on,
  webhook.state_reason
from webhook
where webhook.id = $1 and webhook.active
for update skip locked;

select
  account.id as account_id, account.login, account.status, account.is_site_admin, account.time_zone,
  account.language, account.text_format, account.password_expires_on
from account
where id = $1;

select
from tracker join project on project.id = tracker.project_id
where
  tracker.id = $1
  and (
    not project.status in ('active', 'archived')
    or (
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
  )
  and (
    (
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
              where user_group.id = 4 and user_group_member.account_id = $3::bigint
            )
            else exists (
              select
              from project_member
              where
                project_member.project_id = project.id
                and project_member.account_id = $4::bigint
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
    or exists (
      select
      from tracker_grant admin
      where
        admin.tracker_id = tracker.id
        and admin.kind = 'admin'
        and (
          true
          and (
            admin.group_id in (1, 2, 5)
            or (
              case
                when admin.group_id > 100 then exists (
                  select
                  from
                    user_group
                    join user_group_member on user_group_member.user_group_id = coalesce(user_group.bound_to, user_group.id)
                  where user_group.id = admin.group_id and user_group_member.account_id = $5::bigint
                )
                else exists (
                  select
                  from project_member
                  where
                    project_member.project_id = project.id
                    and project_member.account_id = $6::bigint
                    and case admin.group_id
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
        or tracker.id = $12
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
        when 'svn.commit' then $13::boolean
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
    where
      (
        $14::bigint in (
          seen.tracker_id, (candidate.payload ->> 'tracker_id')::bigint,
          (candidate.payload #>> '{from,tracker_id}')::bigint
        )
      )
    order by candidate.position
    limit $15
  )
select
  feed.*, (select count(*) from looked) as looked,
  (select jsonb_build_object('position', max(looked.position)) from looked having count(*) > 0) as last,
  page.seen
from feed left join page on true
order by page.place;

insert into webhook_delivery (webhook_id, kind, event, event_id, xid, number, object, "on", due_on)
select
  $1, $2, candidate.event, candidate.event_id, candidate.xid::xid8, candidate.number, candidate.object, $3, $4
from
  unnest($5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[]) with ordinality as candidate (event, event_id, xid, number, object, place)
order by candidate.place
on conflict (webhook_id, xid, number)
where kind = 'planned' do nothing;

update webhook
set
  place_position = $1::bigint,
  place_xid = case
    when (feed_end.position = $2::bigint and feed_end.xid > webhook.place_xid) then feed_end.xid
    else webhook.place_xid
  end,
  place_id = case
    when (feed_end.position = $3::bigint and feed_end.xid > webhook.place_xid) then 0
    else webhook.place_id
  end
from
  (
    select feed_epoch.epoch, feed_sequence.position, pg_snapshot_xmin(feed_sequence.snapshot) as xid
    from feed_epoch cross join feed_sequence
  ) feed_end
where webhook.id = $4;

commit;
