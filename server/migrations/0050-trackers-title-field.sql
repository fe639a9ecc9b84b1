-- The field with the title, so that triggers need not read the structure. A generated column: every write keeps it true.
alter table tracker add column title_field_id bigint generated always as ((structure #>> '{semantics,title}')::bigint) stored;
