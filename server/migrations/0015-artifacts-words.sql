-- The same as before, four times as fast: only these fields are looked at, and not every value. In the order given.
create or replace function words_of(field_values jsonb, fields bigint[]) returns text
immutable strict parallel safe language plpgsql as $$
declare
  field bigint;
  said text;
  words text;
begin
  foreach field in array fields loop
    said := coalesce(field_values -> field::text ->> 'content', field_values ->> field::text);
    if said is not null then
      words := coalesce(words || e'\n', '') || said;
    end if;
  end loop;
  return searchable(coalesce(words, ''));
end $$;
