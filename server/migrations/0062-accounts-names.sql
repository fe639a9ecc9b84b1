-- People are found by their names with and without accents.
create index account_searchable on account using gin (searchable(search) gin_trgm_ops);
