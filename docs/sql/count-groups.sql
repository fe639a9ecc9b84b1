-- GET /trackers/{id}/artifacts/groups
-- A chart: the number of artifacts and the sum of points by status.
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

start transaction isolation level repeatable read read only;

select
  set_config('statement_timeout', $1, true), set_config('enable_nestloop', $2, true),
  set_config('max_parallel_workers_per_gather', '0', true);

/* planned anew */
with
  fitting as (
    select
      artifact.id, artifact.submitted_by, artifact.last_update_by, artifact.submitted_on,
      artifact.last_modified_date
    from artifact
    where ((artifact.tracker_id = $1 and artifact.deleted_on is null) and true) and true and true
  ),
  placed as (
    select
      coalesce("key0".value, (-9223372036854775808)::bigint) as "value0",
      "number0".value::text::numeric as "sum0"
    from
      fitting as artifact
      left join value_index "key0" on "key0".artifact_id = artifact.id
      and "key0".field_id = $2
      and "key0".value = any ($3::bigint[])
      left join number_index "number0" on "number0".artifact_id = artifact.id
      and "number0".field_id = $4
  ), grouped as (select "value0", count(*) as count, sum("sum0") as "sum0" from placed group by "value0"),
  listed as (select * from grouped),
  ordered as (
    select
      listed.*,
      case listed."value0"
        when (-9223372036854775808)::bigint then 'infinity'
        else coalesce(array_position($5::bigint[], listed."value0"), $6)::double precision
      end as "rank0", ''::text as "name0"
    from listed
  )
select
  concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp,
  (select count(*) from fitting) as total, (select count(*) from listed) as size,
  (
    select coalesce(json_agg(page), '[]')
    from (select array[nullif("ordered"."value0", (-9223372036854775808)::bigint)] as values
,
          json_build_array("ordered"."name0") as names,
          array[("ordered"."rank0")::text, ("ordered"."name0")::text, ("ordered"."value0")::text] as place,
          ordered.count,
          array[ordered."sum0"]::numeric[] as sums
        from ordered
        where true
        order by "ordered"."rank0", "ordered"."name0", "ordered"."value0"
        limit $7
        offset $8
      ) page
  ) as groups
from tracker join project on project.id = tracker.project_id
where tracker.id = $9;

rollback;
