-- Commits are found by words of their messages.
create index repository_revision_words on repository_revision using gin (searchable(message) gin_trgm_ops);
