-- GET /trackers/{id}/artifacts?expert_query=…
-- A query in TQL, sorted by a date.
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

/* planned anew */
with
  fitting as materialized (
    select artifact.id, "sort_0"."value" as "key_0"
    from
      artifact_summary artifact
      left join "number_index" "sort_0" on "sort_0"."artifact_id" = artifact.id
      and "sort_0"."field_id" = $1
    where
      ((artifact.tracker_id = $2 and artifact.deleted_on is null) and true)
      and (
        (
          case
            when artifact.folded_title is not null then artifact.folded_title like caseless ($3)
            when artifact.title is null then false
            else exists (
              select
              from artifact worded
              where
                worded.id = artifact.id
                and coalesce(caseless (coalesce(worded.field_values -> $4 ->> $5, worded.field_values ->> $6)) like caseless ($7), false)
            )
          end
        )
        and exists (
          select
          from number_index
          where
            number_index.artifact_id = artifact.id
            and number_index.field_id = $8
            and (number_index.value is not null and number_index.value > $9)
        )
        and exists (
          select
          from value_index
          where
            value_index.artifact_id = artifact.id
            and value_index.field_id = $10
            and value_index.value = $11::bigint
        )
      )
      and true
  ), sized as materialized (select (select count(*) from fitting)::bigint as size)
select
  array(
    select concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch)
    from tracker join project on project.id = tracker.project_id
    where tracker.id = any ($12::bigint[])
    order by tracker.id
  ) as stamps, (select sized.size from sized) as size,
  (
    select coalesce(json_agg(found), '[]')
    from
      (
        select fitting.id, array[("fitting"."key_0")::text, ("fitting"."id")::text] as place
        from fitting
        where true
        order by "fitting"."key_0" desc nulls last, "fitting"."id" asc
        limit $13
        offset $14
      ) found
  ) as found;

with
  main as materialized (
    select
      artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank, artifact.version,
      jsonb_strip_nulls(
        jsonb_build_object(
          $1::text, artifact.field_values -> $2, $3::text, artifact.field_values -> $4, $5::text,
          artifact.field_values -> $6
        )
      ) as field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
      artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified
    from artifact
    where
      artifact.id = any ($7::bigint[])
      and ((artifact.tracker_id = $8 and artifact.deleted_on is null) and true)
  )
select
  main.*,
  case
    when row_number() over () = 1 then json_build_object(
      'stamp',
      (
        select concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch)
        from tracker join project on project.id = tracker.project_id
        where tracker.id = $9
      ), 'versions',
      (
        with
          shown as materialized (
            select
              artifact.id, artifact.xmin as version,
              artifact.people || artifact.submitted_by || artifact.last_update_by as people
            from artifact
            where artifact.id = any (array(select main.id from main))
          )
        select
          json_build_object(
            'started', pg_postmaster_start_time(), 'artifacts',
            (select json_agg(json_build_array(shown.id, shown.version)) from shown), 'people',
            (
              select json_agg(json_build_array(person.id, person.version))
              from
                (
                  select account.id, account.xmin as version
                  from account
                  where account.id = any (array(select distinct unnest(shown.people) from shown))
                ) person
            )
          )
      ), 'people',
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
            where
              account.id = any (
                array(
                  select distinct unnest(main.people || main.submitted_by || main.last_update_by)
                  from main
                )
              )
          ) each
      )
    )
  end as common
from main;
