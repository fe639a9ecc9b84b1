create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- A text whatever its case. Each character is folded by itself, so that a part of a text is still a part of it
-- afterwards; some letters have two small forms, which count as one.
create function caseless(words text) returns text
immutable strict parallel safe language sql as $$ select translate(lower(words), 'ςſµϐϑϕϖϰϱϵẛ', 'σsμβθφπκρεṡ') $$;

-- The same whatever its accents. Most texts have none, and are spared the search for them.
create function searchable(words text) returns text
immutable strict parallel safe language sql as $$
  select case when octet_length(words) = length(words) then lower(words)
    else public.caseless(public.unaccent('public.unaccent', public.caseless(words))) end
$$;

-- What these fields of an artifact say, all in one: whoever finds something in it looks again where it stands.
create function words_of(field_values jsonb, fields bigint[]) returns text
immutable strict parallel safe language sql as $$
  select searchable(coalesce(string_agg(coalesce(value ->> 'content', value #>> '{}'), e'\n' order by key), ''))
  from jsonb_each(field_values) where key = any(fields::text[])
$$;

-- Apart from the artifact, so that a change of anything else need not touch its index.
create table artifact_words (
  artifact_id bigint primary key,
  project_id  bigint not null,
  words       text not null,
  foreign key (project_id, artifact_id) references artifact (project_id, id) on update cascade
);
insert into artifact_words (artifact_id, project_id, words)
select artifact.id, artifact.project_id, words_of(artifact.field_values, texts.fields)
from artifact join (
  select tracker.id, array(select (element ->> 'id')::bigint from jsonb_array_elements(tracker.structure -> 'elements') element
    where element ->> 'type' in ('string', 'text')) as fields
  from tracker
) texts on texts.id = artifact.tracker_id;
create index artifact_words_parts on artifact_words using gin (words gin_trgm_ops);

create index changeset_comment_parts on changeset using gin (searchable(comment) gin_trgm_ops) where comment is not null;
create index changeset_comments on changeset (artifact_id) where comment is not null;

-- The many that everybody sees who sees the tracker are counted without looking at each.
create index artifact_open on artifact (tracker_id, id) where deleted_on is null and restricted_to is null;
drop index artifact_restricted;
create index artifact_restricted on artifact (tracker_id, id) include (restricted_to)
  where deleted_on is null and restricted_to is not null;
create index artifact_made on artifact (tracker_id, submitted_on, id) where deleted_on is null;

-- A value belongs to one field: to multiply the two chances would make every list look short.
alter table value_index alter column value set statistics 1000;
create statistics value_index_values (dependencies, mcv) on field_id, value from value_index;
alter statistics value_index_values set statistics 1000;
alter table number_index alter column value set statistics 1000;
