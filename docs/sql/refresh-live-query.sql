-- GET /trackers/{id}/artifacts/live
-- One artifact has changed: the transaction that refreshes an open result set.
-- Written by `npm run sql`.

start transaction isolation level repeatable read read only;

select
  feed.*,
  (
    select
      coalesce(
        json_object_agg(tracker.id, concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch)),
        '{}'
      )
    from tracker join project on project.id = tracker.project_id
    where tracker.id = any ($1::bigint[])
  ) as stamps
from
  (
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
  ) feed;

select
  candidate.position, candidate.id, candidate.type, candidate."on", candidate.object, candidate.project_id,
  candidate.actor_id, candidate.payload
from
  (
    select
      event_position.position, event.id, event.xid, event.type, event."on", event.object, event.project_id,
      event.actor_id, event.request_id, event.client_uuid, event.payload
    from event_position join event on event.id = event_position.event_id
    where event_position.position > $1::bigint
    order by event_position.position
    limit $2
  ) candidate
order by candidate.position;

select artifact.id, artifact.version, artifact.deleted_on is not null as is_deleted
from artifact
where artifact.id = any ($1::bigint[]);

select set_config('plan_cache_mode', 'force_generic_plan', true);

select $1::integer as question, fitting.id, array[("fitting"."id")::text] as place
from
  (
    select artifact.id
    from artifact
    where
      artifact.id = any ($2::bigint[])
      and ((artifact.tracker_id = $3 and artifact.deleted_on is null) and true)
      and true
  ) fitting;

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
  main as materialized (
    select
      artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank, artifact.version,
      artifact.field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
      artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified,
      concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
    from
      artifact
      join tracker on tracker.id = artifact.tracker_id
      join project on project.id = artifact.project_id
      cross join me
    where artifact.id = $6 and true
  )
select
  main.*,
  (
    select coalesce(json_agg(each), '[]')
    from
      (
        select
          account.id, account.login, account.real_name, account.ldap_id, account.has_avatar,
          account.avatar_key, account.erased_on is not null as is_erased, account.email, account.status,
          account.time_zone, account.language, account.text_format, account.pending_email,
          account.is_site_admin, account.version
        from account
        where account.id = any (main.people || main.submitted_by || main.last_update_by || $7::bigint)
      ) each
  ) as persons, '[]'::json as forward, '[]'::json as reverse, '[]'::json as outgoing, '[]'::json as incoming
from main;

rollback;
