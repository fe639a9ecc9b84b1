-- GET /search/artifacts
-- The search page: a page of matches, and counts of the facets.
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

select imported_artifact.artifact_id
from imported_artifact
where imported_artifact.source_key = $1
limit 1;

select
  exists (
    select
    from artifact_words tablesample system ($1) repeatable (1)
    where artifact_words.words like $2
  ) as in_texts,
  exists (
    select
    from changeset tablesample system ($3) repeatable (1)
    where changeset.comment is not null and searchable (changeset.comment) like $4
  ) as in_comments;

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
  )
select candidate.id
from
  (
    (
      select holding.id
      from
        (
          select artifact_words.artifact_id as id
          from artifact_words
          where artifact_words.words like $6
          offset 0
        ) holding
        cross join lateral (
          select
          from artifact
          where
            artifact.id = holding.id
            and (
              true
              and (
                artifact.deleted_on is null
                and (
                  artifact.restricted_to is null
                  and artifact.tracker_id in (
                    select tracker.id
                    from tracker join project on project.id = tracker.project_id cross join me
                    where
                      tracker.deleted_on is null
                      and (
                        (
                          true
                          and (
                            (
                              project.status in ('active', 'archived')
                              and project.access in ('public', 'unrestricted')
                            )
                            or (
                              project.status in ('active', 'archived', 'importing')
                              and project.id = any (me.member_of)
                            )
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
                              and granted.kind in ('full', 'admin')
                          )
                        )
                      )
                  )
                  or exists (
                    select
                    from
                      me
                      join tracker on tracker.id = artifact.tracker_id
                      join project on project.id = artifact.project_id
                    where
                      (
                        artifact.deleted_on is null
                        and tracker.deleted_on is null
                        and (
                          (
                            true
                            and (
                              (
                                project.status in ('active', 'archived')
                                and project.access in ('public', 'unrestricted')
                              )
                              or (
                                project.status in ('active', 'archived', 'importing')
                                and project.id = any (me.member_of)
                              )
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
                                    when 'submitted_by_user' then artifact.submitted_by = $7::bigint
                                    when 'submitted_by_group' then account_in_group (artifact.submitted_by, project.id, granted.group_id)
                                    when 'assigned_to_group' then assigned_in_group (artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
                                    else false
                                  end
                                )
                            )
                          )
                        )
                      )
                  )
                )
              )
            )
          offset 0
        ) found
      where holding.id < $8 and true and true
      order by holding.id desc
      limit 16
    )
    union
    (
      select holding.id
      from
        (
          select distinct changeset.artifact_id as id
          from changeset
          where changeset.comment is not null and searchable (changeset.comment) like $9
          offset 0
        ) holding
        cross join lateral (
          select
          from artifact
          where
            artifact.id = holding.id
            and (
              true
              and (
                artifact.deleted_on is null
                and (
                  artifact.restricted_to is null
                  and artifact.tracker_id in (
                    select tracker.id
                    from tracker join project on project.id = tracker.project_id cross join me
                    where
                      tracker.deleted_on is null
                      and (
                        (
                          true
                          and (
                            (
                              project.status in ('active', 'archived')
                              and project.access in ('public', 'unrestricted')
                            )
                            or (
                              project.status in ('active', 'archived', 'importing')
                              and project.id = any (me.member_of)
                            )
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
                              and granted.kind in ('full', 'admin')
                          )
                        )
                      )
                  )
                  or exists (
                    select
                    from
                      me
                      join tracker on tracker.id = artifact.tracker_id
                      join project on project.id = artifact.project_id
                    where
                      (
                        artifact.deleted_on is null
                        and tracker.deleted_on is null
                        and (
                          (
                            true
                            and (
                              (
                                project.status in ('active', 'archived')
                                and project.access in ('public', 'unrestricted')
                              )
                              or (
                                project.status in ('active', 'archived', 'importing')
                                and project.id = any (me.member_of)
                              )
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
                                    when 'submitted_by_user' then artifact.submitted_by = $10::bigint
                                    when 'submitted_by_group' then account_in_group (artifact.submitted_by, project.id, granted.group_id)
                                    when 'assigned_to_group' then assigned_in_group (artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
                                    else false
                                  end
                                )
                            )
                          )
                        )
                      )
                  )
                )
              )
            )
          offset 0
        ) found
      where holding.id < $11 and true
      group by holding.id
      order by holding.id desc
      limit 16
    )
  ) candidate
order by candidate.id desc
limit 16;

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
  seen as materialized (
    select artifact.id, artifact.tracker_id, $6::boolean as is_named
    from artifact
    where artifact.id = any ($7::bigint[])
  )
select id, project_id, tracker_id, rank, changed_on, is_open, assigned
from
  (
    select
      artifact.id, artifact.project_id,
      case
        when (artifact.id in (select seen.id from seen where seen.is_named)) then 0
        when (
          (
            case
              when readable.title = any (readable.texts) then searchable (
                (
                  case coalesce(artifact.field_values -> readable.title ->> 'format', 'text')
                    when 'html' then regexp_replace(
                      coalesce(artifact.field_values -> readable.title ->> 'content', artifact.field_values ->> readable.title),
                      '<[^>]*>', ' ', 'g'
                    )
                    else coalesce(artifact.field_values -> readable.title ->> 'content', artifact.field_values ->> readable.title)
                  end
                )
              )
            end
          ) ~ $8
        ) then 1
        else 2
      end as rank, artifact.last_modified_date as changed_on, artifact.tracker_id,
      (
        not readable.has_status
        or coalesce((artifact.field_values -> readable.status ->> 0)::bigint = any (readable.open_values), false)
      ) as is_open, artifact.field_values -> readable.contributor as assigned
    from
      (select seen.tracker_id, array_agg(seen.id) as ids from seen group by seen.tracker_id) together
      cross join lateral (
        select
          tracker.id, mine.groups,
          (
            4 = any (mine.groups)
            or exists (
              select
              from tracker_grant admin
              where
                admin.tracker_id = tracker.id
                and admin.kind = 'admin'
                and admin.group_id = any (mine.groups)
            )
          ) as administers, semantics ->> 'title' as title, coalesce(fields.texts, '{}') as texts,
          coalesce(fields.files, '{}') as files, semantics #>> '{status,field_id}' is not null as has_status,
          fields.status, fields.contributor,
          array(select jsonb_array_elements_text(semantics #> '{status,open}')::bigint) as open_values
        from
          tracker
          join project on project.id = tracker.project_id
          cross join me
          cross join lateral jsonb_to_record(tracker.structure) as structure (elements jsonb, semantics jsonb)
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
          cross join lateral (
            select
              array_agg(
                element ->> 'id'
                order by place
              ) filter (
                where
                  element ->> 'type' = any ($9::text[])
                  and (element ->> 'is_used')::boolean
                  and (
                    element -> 'rights' = 'null'
                    or array(
                      select
                        jsonb_array_elements_text((element -> 'rights' -> 'read') || (element -> 'rights' -> 'update'))::bigint
                    ) && mine.groups
                  )
              ) as texts,
              array_agg(
                element ->> 'id'
                order by place
              ) filter (
                where
                  element ->> 'type' = any ($10::text[])
                  and (element ->> 'is_used')::boolean
                  and (
                    element -> 'rights' = 'null'
                    or array(
                      select
                        jsonb_array_elements_text((element -> 'rights' -> 'read') || (element -> 'rights' -> 'update'))::bigint
                    ) && mine.groups
                  )
              ) as files,
              min(element ->> 'id') filter (
                where
                  coalesce(element ->> 'id' = semantics #>> '{status,field_id}', false)
                  and (
                    element -> 'rights' = 'null'
                    or array(
                      select
                        jsonb_array_elements_text((element -> 'rights' -> 'read') || (element -> 'rights' -> 'update'))::bigint
                    ) && mine.groups
                  )
              ) as status,
              min(element ->> 'id') filter (
                where
                  coalesce(element ->> 'id' = semantics ->> 'contributor', false)
                  and (
                    element -> 'rights' = 'null'
                    or array(
                      select
                        jsonb_array_elements_text((element -> 'rights' -> 'read') || (element -> 'rights' -> 'update'))::bigint
                    ) && mine.groups
                  )
              ) as contributor
            from jsonb_array_elements(elements) with ordinality as each (element, place)
          ) fields
        where tracker.id = together.tracker_id
        offset 0
      ) readable
      cross join lateral unnest(together.ids) as one (id)
      cross join lateral (select * from artifact where artifact.id = one.id offset 0) artifact
      cross join lateral (
        select
          searchable (
            concat_ws(
              chr(1),
              (
                select
                  string_agg(
                    (
                      case coalesce(artifact.field_values -> field ->> 'format', 'text')
                        when 'html' then regexp_replace(coalesce(artifact.field_values -> field ->> 'content', artifact.field_values ->> field), '<[^>]*>', ' ', 'g')
                        else coalesce(artifact.field_values -> field ->> 'content', artifact.field_values ->> field)
                      end
                    ), chr(1)
                  )
                from unnest(readable.texts) field
              ),
              (
                select
                  string_agg(
                    (
                      case changeset.comment_format
                        when 'html' then regexp_replace(changeset.comment, '<[^>]*>', ' ', 'g')
                        else changeset.comment
                      end
                    ), chr(1)
                  )
                from changeset
                where
                  changeset.artifact_id = artifact.id
                  and (
                    changeset.comment is not null
                    and (
                      readable.administers
                      or changeset.comment_groups is null
                      or changeset.comment_groups && readable.groups
                    )
                  )
              ),
              (
                select string_agg(file.name, chr(1))
                from artifact_file join file on file.id = artifact_file.file_id and file.is_attached
                where
                  (
                    artifact_file.artifact_id = artifact.id
                    and artifact_file.field_id::text = any (readable.files)
                    and (artifact.field_values -> artifact_file.field_id::text) @> to_jsonb(artifact_file.file_id)
                  )
              )
            )
          ) as texts
        offset 0
      ) said
    where ((artifact.id in (select seen.id from seen where seen.is_named)) or (said.texts ~ $11)) and true
  ) matching
order by id desc;

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
  )
select candidate.id
from
  (
    (
      select holding.id
      from
        (
          select artifact_words.artifact_id as id
          from artifact_words
          where artifact_words.words like $6
          offset 0
        ) holding
        cross join lateral (
          select
          from artifact
          where
            artifact.id = holding.id
            and (
              true
              and (
                artifact.deleted_on is null
                and (
                  artifact.restricted_to is null
                  and artifact.tracker_id in (
                    select tracker.id
                    from tracker join project on project.id = tracker.project_id cross join me
                    where
                      tracker.deleted_on is null
                      and (
                        (
                          true
                          and (
                            (
                              project.status in ('active', 'archived')
                              and project.access in ('public', 'unrestricted')
                            )
                            or (
                              project.status in ('active', 'archived', 'importing')
                              and project.id = any (me.member_of)
                            )
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
                              and granted.kind in ('full', 'admin')
                          )
                        )
                      )
                  )
                  or exists (
                    select
                    from
                      me
                      join tracker on tracker.id = artifact.tracker_id
                      join project on project.id = artifact.project_id
                    where
                      (
                        artifact.deleted_on is null
                        and tracker.deleted_on is null
                        and (
                          (
                            true
                            and (
                              (
                                project.status in ('active', 'archived')
                                and project.access in ('public', 'unrestricted')
                              )
                              or (
                                project.status in ('active', 'archived', 'importing')
                                and project.id = any (me.member_of)
                              )
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
                                    when 'submitted_by_user' then artifact.submitted_by = $7::bigint
                                    when 'submitted_by_group' then account_in_group (artifact.submitted_by, project.id, granted.group_id)
                                    when 'assigned_to_group' then assigned_in_group (artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
                                    else false
                                  end
                                )
                            )
                          )
                        )
                      )
                  )
                )
              )
            )
          offset 0
        ) found
      where holding.id < $8 and true and true
      order by holding.id desc
      limit 64
    )
    union
    (
      select holding.id
      from
        (
          select distinct changeset.artifact_id as id
          from changeset
          where changeset.comment is not null and searchable (changeset.comment) like $9
          offset 0
        ) holding
        cross join lateral (
          select
          from artifact
          where
            artifact.id = holding.id
            and (
              true
              and (
                artifact.deleted_on is null
                and (
                  artifact.restricted_to is null
                  and artifact.tracker_id in (
                    select tracker.id
                    from tracker join project on project.id = tracker.project_id cross join me
                    where
                      tracker.deleted_on is null
                      and (
                        (
                          true
                          and (
                            (
                              project.status in ('active', 'archived')
                              and project.access in ('public', 'unrestricted')
                            )
                            or (
                              project.status in ('active', 'archived', 'importing')
                              and project.id = any (me.member_of)
                            )
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
                              and granted.kind in ('full', 'admin')
                          )
                        )
                      )
                  )
                  or exists (
                    select
                    from
                      me
                      join tracker on tracker.id = artifact.tracker_id
                      join project on project.id = artifact.project_id
                    where
                      (
                        artifact.deleted_on is null
                        and tracker.deleted_on is null
                        and (
                          (
                            true
                            and (
                              (
                                project.status in ('active', 'archived')
                                and project.access in ('public', 'unrestricted')
                              )
                              or (
                                project.status in ('active', 'archived', 'importing')
                                and project.id = any (me.member_of)
                              )
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
                                    when 'submitted_by_user' then artifact.submitted_by = $10::bigint
                                    when 'submitted_by_group' then account_in_group (artifact.submitted_by, project.id, granted.group_id)
                                    when 'assigned_to_group' then assigned_in_group (artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
                                    else false
                                  end
                                )
                            )
                          )
                        )
                      )
                  )
                )
              )
            )
          offset 0
        ) found
      where holding.id < $11 and true
      group by holding.id
      order by holding.id desc
      limit 64
    )
  ) candidate
order by candidate.id desc
limit 64;

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
  seen as materialized (
    select artifact.id, artifact.tracker_id, $6::boolean as is_named
    from artifact
    where artifact.id = any ($7::bigint[])
  )
select id, project_id, tracker_id, rank, changed_on, is_open, assigned
from
  (
    select
      artifact.id, artifact.project_id,
      case
        when (artifact.id in (select seen.id from seen where seen.is_named)) then 0
        when (
          (
            case
              when readable.title = any (readable.texts) then searchable (
                (
                  case coalesce(artifact.field_values -> readable.title ->> 'format', 'text')
                    when 'html' then regexp_replace(
                      coalesce(artifact.field_values -> readable.title ->> 'content', artifact.field_values ->> readable.title),
                      '<[^>]*>', ' ', 'g'
                    )
                    else coalesce(artifact.field_values -> readable.title ->> 'content', artifact.field_values ->> readable.title)
                  end
                )
              )
            end
          ) ~ $8
        ) then 1
        else 2
      end as rank, artifact.last_modified_date as changed_on, artifact.tracker_id,
      (
        not readable.has_status
        or coalesce((artifact.field_values -> readable.status ->> 0)::bigint = any (readable.open_values), false)
      ) as is_open, artifact.field_values -> readable.contributor as assigned
    from
      (select seen.tracker_id, array_agg(seen.id) as ids from seen group by seen.tracker_id) together
      cross join lateral (
        select
          tracker.id, mine.groups,
          (
            4 = any (mine.groups)
            or exists (
              select
              from tracker_grant admin
              where
                admin.tracker_id = tracker.id
                and admin.kind = 'admin'
                and admin.group_id = any (mine.groups)
            )
          ) as administers, semantics ->> 'title' as title, coalesce(fields.texts, '{}') as texts,
          coalesce(fields.files, '{}') as files, semantics #>> '{status,field_id}' is not null as has_status,
          fields.status, fields.contributor,
          array(select jsonb_array_elements_text(semantics #> '{status,open}')::bigint) as open_values
        from
          tracker
          join project on project.id = tracker.project_id
          cross join me
          cross join lateral jsonb_to_record(tracker.structure) as structure (elements jsonb, semantics jsonb)
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
          cross join lateral (
            select
              array_agg(
                element ->> 'id'
                order by place
              ) filter (
                where
                  element ->> 'type' = any ($9::text[])
                  and (element ->> 'is_used')::boolean
                  and (
                    element -> 'rights' = 'null'
                    or array(
                      select
                        jsonb_array_elements_text((element -> 'rights' -> 'read') || (element -> 'rights' -> 'update'))::bigint
                    ) && mine.groups
                  )
              ) as texts,
              array_agg(
                element ->> 'id'
                order by place
              ) filter (
                where
                  element ->> 'type' = any ($10::text[])
                  and (element ->> 'is_used')::boolean
                  and (
                    element -> 'rights' = 'null'
                    or array(
                      select
                        jsonb_array_elements_text((element -> 'rights' -> 'read') || (element -> 'rights' -> 'update'))::bigint
                    ) && mine.groups
                  )
              ) as files,
              min(element ->> 'id') filter (
                where
                  coalesce(element ->> 'id' = semantics #>> '{status,field_id}', false)
                  and (
                    element -> 'rights' = 'null'
                    or array(
                      select
                        jsonb_array_elements_text((element -> 'rights' -> 'read') || (element -> 'rights' -> 'update'))::bigint
                    ) && mine.groups
                  )
              ) as status,
              min(element ->> 'id') filter (
                where
                  coalesce(element ->> 'id' = semantics ->> 'contributor', false)
                  and (
                    element -> 'rights' = 'null'
                    or array(
                      select
                        jsonb_array_elements_text((element -> 'rights' -> 'read') || (element -> 'rights' -> 'update'))::bigint
                    ) && mine.groups
                  )
              ) as contributor
            from jsonb_array_elements(elements) with ordinality as each (element, place)
          ) fields
        where tracker.id = together.tracker_id
        offset 0
      ) readable
      cross join lateral unnest(together.ids) as one (id)
      cross join lateral (select * from artifact where artifact.id = one.id offset 0) artifact
      cross join lateral (
        select
          searchable (
            concat_ws(
              chr(1),
              (
                select
                  string_agg(
                    (
                      case coalesce(artifact.field_values -> field ->> 'format', 'text')
                        when 'html' then regexp_replace(coalesce(artifact.field_values -> field ->> 'content', artifact.field_values ->> field), '<[^>]*>', ' ', 'g')
                        else coalesce(artifact.field_values -> field ->> 'content', artifact.field_values ->> field)
                      end
                    ), chr(1)
                  )
                from unnest(readable.texts) field
              ),
              (
                select
                  string_agg(
                    (
                      case changeset.comment_format
                        when 'html' then regexp_replace(changeset.comment, '<[^>]*>', ' ', 'g')
                        else changeset.comment
                      end
                    ), chr(1)
                  )
                from changeset
                where
                  changeset.artifact_id = artifact.id
                  and (
                    changeset.comment is not null
                    and (
                      readable.administers
                      or changeset.comment_groups is null
                      or changeset.comment_groups && readable.groups
                    )
                  )
              ),
              (
                select string_agg(file.name, chr(1))
                from artifact_file join file on file.id = artifact_file.file_id and file.is_attached
                where
                  (
                    artifact_file.artifact_id = artifact.id
                    and artifact_file.field_id::text = any (readable.files)
                    and (artifact.field_values -> artifact_file.field_id::text) @> to_jsonb(artifact_file.file_id)
                  )
              )
            )
          ) as texts
        offset 0
      ) said
    where ((artifact.id in (select seen.id from seen where seen.is_named)) or (said.texts ~ $11)) and true
  ) matching
order by id desc;

select
  (
    select json_agg(each)
    from
      (
        select
          tracker.id,
          concat_ws('.', tracker.version, tracker.rights_epoch, project.version, project.rights_epoch) as stamp
        from tracker join project on project.id = tracker.project_id
        where tracker.id = any ($1::bigint[])
      ) each
  ) as stamps;

select
  account.id, account.login, account.real_name, account.ldap_id, account.has_avatar, account.avatar_key,
  account.erased_on is not null as is_erased, account.email, account.status, account.time_zone,
  account.language, account.text_format, account.pending_email, account.is_site_admin, account.version
from account
where account.id = any ($1::bigint[]);

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
  readable as materialized (
    select
      tracker.id, mine.groups,
      (
        4 = any (mine.groups)
        or exists (
          select
          from tracker_grant admin
          where admin.tracker_id = tracker.id and admin.kind = 'admin' and admin.group_id = any (mine.groups)
        )
      ) as administers, semantics ->> 'title' as title, coalesce(fields.texts, '{}') as texts,
      coalesce(fields.files, '{}') as files, semantics #>> '{status,field_id}' is not null as has_status,
      fields.status, fields.contributor,
      array(select jsonb_array_elements_text(semantics #> '{status,open}')::bigint) as open_values
    from
      tracker
      join project on project.id = tracker.project_id
      cross join me
      cross join lateral jsonb_to_record(tracker.structure) as structure (elements jsonb, semantics jsonb)
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
      cross join lateral (
        select
          array_agg(
            element ->> 'id'
            order by place
          ) filter (
            where
              element ->> 'type' = any ($6::text[])
              and (element ->> 'is_used')::boolean
              and (
                element -> 'rights' = 'null'
                or array(
                  select
                    jsonb_array_elements_text((element -> 'rights' -> 'read') || (element -> 'rights' -> 'update'))::bigint
                ) && mine.groups
              )
          ) as texts,
          array_agg(
            element ->> 'id'
            order by place
          ) filter (
            where
              element ->> 'type' = any ($7::text[])
              and (element ->> 'is_used')::boolean
              and (
                element -> 'rights' = 'null'
                or array(
                  select
                    jsonb_array_elements_text((element -> 'rights' -> 'read') || (element -> 'rights' -> 'update'))::bigint
                ) && mine.groups
              )
          ) as files,
          min(element ->> 'id') filter (
            where
              coalesce(element ->> 'id' = semantics #>> '{status,field_id}', false)
              and (
                element -> 'rights' = 'null'
                or array(
                  select
                    jsonb_array_elements_text((element -> 'rights' -> 'read') || (element -> 'rights' -> 'update'))::bigint
                ) && mine.groups
              )
          ) as status,
          min(element ->> 'id') filter (
            where
              coalesce(element ->> 'id' = semantics ->> 'contributor', false)
              and (
                element -> 'rights' = 'null'
                or array(
                  select
                    jsonb_array_elements_text((element -> 'rights' -> 'read') || (element -> 'rights' -> 'update'))::bigint
                ) && mine.groups
              )
          ) as contributor
        from jsonb_array_elements(elements) with ordinality as each (element, place)
      ) fields
    where tracker.id in (select artifact.tracker_id from artifact where artifact.id = any ($8::bigint[]))
  )
select
  artifact.id, tracker.item_name, tracker.color_name,
  case
    when readable.title = any (readable.texts)
    and coalesce(artifact.field_values -> readable.title ->> 'content', artifact.field_values ->> readable.title) is not null then json_build_object(
      'content',
      coalesce(artifact.field_values -> readable.title ->> 'content', artifact.field_values ->> readable.title),
      'format', coalesce(artifact.field_values -> readable.title ->> 'format', 'text')
    )
  end as title,
  (
    select
      coalesce(
        json_agg(
          json_build_object('content', said.content, 'format', said.format)
          order by said.kind, said.place
        ), '[]'
      )
    from
      (
        select
          1 as kind, field.place,
          coalesce(artifact.field_values -> field.id ->> 'content', artifact.field_values ->> field.id) as content,
          coalesce(artifact.field_values -> field.id ->> 'format', 'text') as format
        from unnest(readable.texts) with ordinality as field (id, place)
        where
          field.id is distinct from readable.title
          and (
            searchable (
              (
                case coalesce(artifact.field_values -> field.id ->> 'format', 'text')
                  when 'html' then regexp_replace(
                    coalesce(artifact.field_values -> field.id ->> 'content', artifact.field_values ->> field.id),
                    '<[^>]*>', ' ', 'g'
                  )
                  else coalesce(artifact.field_values -> field.id ->> 'content', artifact.field_values ->> field.id)
                end
              )
            ) ~ any ($9::text[])
          )
        union all
        select 2, changeset.version, changeset.comment, changeset.comment_format
        from changeset
        where
          changeset.artifact_id = artifact.id
          and (
            changeset.comment is not null
            and (
              readable.administers
              or changeset.comment_groups is null
              or changeset.comment_groups && readable.groups
            )
          )
          and (
            searchable (
              (
                case changeset.comment_format
                  when 'html' then regexp_replace(changeset.comment, '<[^>]*>', ' ', 'g')
                  else changeset.comment
                end
              )
            ) ~ any ($10::text[])
          )
        union all
        select 3, artifact_file.file_id, file.name, 'text'
        from artifact_file join file on file.id = artifact_file.file_id and file.is_attached
        where
          (
            artifact_file.artifact_id = artifact.id
            and artifact_file.field_id::text = any (readable.files)
            and (artifact.field_values -> artifact_file.field_id::text) @> to_jsonb(artifact_file.file_id)
          )
          and (searchable (file.name) ~ any ($11::text[]))
        order by 1, 2
        limit $12
      ) said
  ) as texts
from
  artifact
  join tracker on tracker.id = artifact.tracker_id
  join project on project.id = artifact.project_id
  join readable on readable.id = artifact.tracker_id
where artifact.id = any ($13::bigint[]);

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
    where
      artifact.id = any ($6::bigint[])
      and (
        artifact.deleted_on is null
        and tracker.deleted_on is null
        and (
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
                    when 'submitted_by_user' then artifact.submitted_by = $7::bigint
                    when 'submitted_by_group' then account_in_group (artifact.submitted_by, project.id, granted.group_id)
                    when 'assigned_to_group' then assigned_in_group (artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
                    else false
                  end
                )
            )
          )
        )
      )
  )
select
  main.*,
  case
    when row_number() over () = 1 then (
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
                select distinct unnest(main.people || main.submitted_by || main.last_update_by || $8::bigint)
                from main
              )
            )
        ) each
    )
  end as persons, '[]'::json as forward, '[]'::json as reverse, '[]'::json as outgoing, '[]'::json as incoming
from main;
