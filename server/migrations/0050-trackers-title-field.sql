-- The field with the title, so that triggers need not read the structure. Computed from it, whoever writes the tracker.
alter table tracker add column title_field_id bigint generated always as ((structure #>> '{semantics,title}')::bigint) stored;
