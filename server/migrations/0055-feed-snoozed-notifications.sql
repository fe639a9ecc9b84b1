-- A notification that its owner has put off is hidden until then. Servers of the version before show it all the time.
alter table notification add column snoozed_until timestamptz;
