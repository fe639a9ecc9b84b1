-- Projects are found by parts of their names. The seam keeps a phrase from reaching from one name into the other.
create index project_names on project using gin (searchable(label || chr(1) || shortname) gin_trgm_ops);
