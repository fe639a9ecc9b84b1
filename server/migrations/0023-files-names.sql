-- Artifacts are found by parts of the names of their files. What nobody has attached is found by nobody.
create index file_names on file using gin (searchable(name) gin_trgm_ops) where is_attached;
