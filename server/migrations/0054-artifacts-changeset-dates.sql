-- Finds the artifacts that have changed since a moment, for searches of the past. Versions are stored in the order of time,
-- except imported ones, so a few bytes for each 32 pages are enough, and writes cost nothing more.
create index changeset_dates on changeset using brin (submitted_on) with (pages_per_range = 32, autosummarize = on);
