-- noticePoller
-- A worker finds the people to notify of new events.
-- Written by `npm run sql`.

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
from feed_epoch cross join feed_sequence;

select notice_reader.epoch, notice_reader.position, notice_reader.xid::text as xid, notice_reader.id
from notice_reader;

select
  candidate.position, candidate.id, candidate.type, candidate."on", candidate.object, candidate.project_id,
  candidate.actor_id, candidate.payload, (candidate.xid, candidate.id) <= ($1::xid8, $2::bigint) as is_read
from
  (
    select
      event_position.position, event.id, event.xid, event.type, event."on", event.object, event.project_id,
      event.actor_id, event.request_id, event.client_uuid, event.payload
    from event_position join event on event.id = event_position.event_id
    where event_position.position > $3::bigint
    order by event_position.position
    limit $4
  ) candidate
order by candidate.position;

select watch.kind, watch.object_id as id, watch.account_id, watch.level
from
  watch
  join (
    select distinct kind, id
    from unnest($1::text[], $2::bigint[]) as given (kind, id)
  ) given on watch.kind = given.kind
  and watch.object_id = given.id;

select account_id
from notification_setting
where
  default_level in ('all', 'status')
  and account_id in (
    select member.account_id
    from project_member member
    where
      member.project_id = $1
      and ($2::boolean or ($3::boolean and member.is_admin) or ($4::boolean and member.is_svn_admin))
    union
    select user_group_member.account_id
    from
      user_group
      join user_group_member on user_group_member.user_group_id = coalesce(user_group.bound_to, user_group.id)
    where user_group.project_id = $5 and user_group.id = any ($6::bigint[])
  );

select
  artifact.id as artifact_id, artifact.tracker_id, changeset.version, artifact.submitted_by,
  changeset.comment, changeset.comment_format, changeset.comment_groups,
  array(
    select distinct earlier.submitted_by
    from changeset earlier
    where
      earlier.artifact_id = artifact.id
      and earlier.version < changeset.version
      and earlier.comment is not null
      and earlier.submitted_by is not null
  ) as commented_by
from
  unnest($1::bigint[], $2::integer[]) as wanted (artifact_id, version)
  join artifact on artifact.id = wanted.artifact_id
  join changeset on changeset.artifact_id = artifact.id
  and changeset.version = wanted.version;

select concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
from tracker join project on project.id = tracker.project_id
where tracker.id = $1 and tracker.deleted_on is null;

with
  wanted as materialized (
    select *
    from
      unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) as request (id, tracker_id, first, last)
  )
select wanted.id, 0 as version, folded.changes
from
  wanted
  cross join lateral (
    select coalesce(jsonb_object_agg(each.key, each.value order by changeset.version), '{}') as changes
    from changeset cross join lateral jsonb_each(changeset.changes) each
    where
      changeset.artifact_id = wanted.id
      and changeset.tracker_id = wanted.tracker_id
      and changeset.version < wanted.first
  ) folded
union all
select wanted.id, step.version, step.changes
from
  wanted
  cross join lateral (
    select
      changeset.version,
      case changeset.tracker_id when wanted.tracker_id then changes else '{}' end as changes
    from changeset
    where changeset.artifact_id = wanted.id and changeset.version between wanted.first and wanted.last
  ) step
order by 1, 2;

select
  account.id as account_id, account.login, account.status, account.is_site_admin, account.time_zone,
  account.language, account.text_format, account.password_expires_on, account.real_name, account.email
from account
where account.id = any ($1::bigint[]) and account.status in ('A', 'R');

select
  account_id, default_level, mail, digest_hour, own_changes, assigned, submitted, mute_mentions, short_mails
from notification_setting
where account_id = any ($1::bigint[]);

with
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
  candidate as materialized (
    select
      coalesce(event_position.position, 0) as position, event.id, event.xid, event.type, event."on",
      event.object, event.project_id, event.actor_id, event.request_id, event.client_uuid, event.payload
    from event left join event_position on event_position.event_id = event.id
    where event.id = any ($6::bigint[])
  ),
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
        and (project.id = any (me.admin_of) or (candidate.payload ->> 'account_id')::bigint = $7::bigint)
        when candidate.type = 'rights.changed'
        and not candidate.payload ? 'tracker_id' then true
        and case
          when candidate.payload ? 'account_ids' then candidate.payload -> 'account_ids' @> to_jsonb($8::bigint)
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
                    when 'submitted_by_user' then artifact.submitted_by = $9::bigint
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
  )
select
  to_jsonb(candidate.*) || jsonb_build_object(
    'position',
    coalesce(
      candidate.position,
      (select event_position.position from event_position where event_position.event_id = candidate.id), 0
    ), 'project_id', seen.project_id, 'tracker_id', seen.tracker_id, 'stamp', seen.stamp
  ) as event
from candidate join seen on seen.id = candidate.id
where
  case
    when candidate.type in ('artifact.deleted', 'tracker.deleted') then true
    when candidate.type like 'artifact.%' then exists (
      select
      from artifact join tracker on tracker.id = artifact.tracker_id
      where
        artifact.id = split_part(candidate.object, '/', 2)::bigint
        and artifact.deleted_on is null
        and tracker.deleted_on is null
    )
    when candidate.type like 'tracker.%' then exists (
      select
      from tracker
      where tracker.id = split_part(candidate.object, '/', 2)::bigint and tracker.deleted_on is null
    )
    else true
  end
order by candidate.position, candidate.id;

select
  account.id, account.login, account.real_name, account.ldap_id, account.has_avatar, account.avatar_key,
  account.erased_on is not null as is_erased
from account
where account.id = any ($1::bigint[]) and account.status not in ('P', 'V', 'W');

begin;

update notice_reader
set
  position = $1::bigint,
  xid = case
    when feed_end.position = $2::bigint
    and feed_end.xid > notice_reader.xid then feed_end.xid
    else notice_reader.xid
  end,
  id = case
    when feed_end.position = $3::bigint
    and feed_end.xid > notice_reader.xid then 0
    else notice_reader.id
  end
from
  (
    select feed_epoch.epoch, feed_sequence.position, pg_snapshot_xmin(feed_sequence.snapshot) as xid
    from feed_epoch cross join feed_sequence
  ) feed_end
where
  notice_reader.epoch = $4
  and notice_reader.position = $5
  and notice_reader.xid = $6::xid8
  and notice_reader.id = $7;

insert into
  notified_event (position, id, xid, type, "on", object, project_id, actor_id, request_id, client_uuid, payload, epoch)
select candidate.*, $1
from
  (
    select
      coalesce(event_position.position, 0) as position, event.id, event.xid, event.type, event."on",
      event.object, event.project_id, event.actor_id, event.request_id, event.client_uuid, event.payload
    from event left join event_position on event_position.event_id = event.id
    where event.id = any ($2::bigint[])
  ) candidate
on conflict do nothing;

insert into notification (account_id, event_id, why, "on")
select account_id, event_id, why, $1
from
  unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[]) as come (account_id, event_id, why, position)
order by position, account_id
on conflict do nothing;

commit;
