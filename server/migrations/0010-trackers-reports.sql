alter table tracker_part drop constraint tracker_part_kind_check;
alter table tracker_part add constraint tracker_part_kind_check
  check (kind in ('element', 'value', 'transition', 'action', 'trigger', 'report', 'renderer'));

-- Reports that somebody has made for himself. Public ones are part of their tracker; the ids of both are parts.
create table tracker_report (
  id         bigint primary key references tracker_part,
  project_id bigint not null,
  tracker_id bigint not null,
  owner_id   bigint not null references account,
  report     jsonb not null,
  foreign key (project_id, tracker_id) references tracker (project_id, id)
);
create index tracker_report_of_person on tracker_report (owner_id, tracker_id);
create index tracker_report_of_tracker on tracker_report (tracker_id);

-- Until now a structure had its reports as the definition wrote them: from here on they have ids, and know their fields
-- by them. Those that were not public go to whoever made the tracker, for there was nobody else to have them.
do $$
declare
  kept record; given jsonb; renderer jsonb; fields jsonb; part bigint; drawn bigint; renderers jsonb; report jsonb; reports jsonb;
begin
  for kept in select * from tracker where jsonb_array_length(structure -> 'reports') > 0 loop
    fields := (select jsonb_object_agg(element ->> 'name', element -> 'id')
      from jsonb_array_elements(kept.structure -> 'elements') element);
    fields := coalesce(fields, '{}');
    reports := '[]';
    for given in select * from jsonb_array_elements(kept.structure -> 'reports') loop
      renderers := '[]';
      for renderer in select * from jsonb_array_elements(coalesce(given -> 'renderers', '[]')) loop
        insert into tracker_part (project_id, tracker_id, kind) values (kept.project_id, kept.id, 'renderer')
          returning id into drawn;
        renderers := renderers || jsonb_build_object(
          'id', drawn, 'type', renderer ->> 'type', 'label', coalesce(renderer ->> 'label', ''),
          'columns', (select coalesce(jsonb_agg(fields -> name order by place), '[]')
            from jsonb_array_elements_text(coalesce(renderer -> 'columns', '[]')) with ordinality each (name, place)
            where fields ? name),
          'page_size', coalesce(renderer -> 'page_size',
            case renderer ->> 'type' when 'table' then to_jsonb(50) else 'null' end),
          'sort', (select coalesce(jsonb_agg(jsonb_build_object('field_id', fields -> (key ->> 'field'),
              'direction', key ->> 'direction') order by place), '[]')
            from jsonb_array_elements(coalesce(renderer -> 'sort', '[]')) with ordinality each (key, place)
            where fields ? (key ->> 'field') and place <= 10),
          'more', renderer - '{type,label,columns,page_size,sort}'::text[]);
      end loop;
      insert into tracker_part (project_id, tracker_id, kind) values (kept.project_id, kept.id, 'report')
        returning id into part;
      report := jsonb_build_object(
        'label', given ->> 'label', 'description', coalesce(given ->> 'description', ''),
        'is_default', coalesce((given ->> 'default')::boolean, false) and not reports @? '$[*] ? (@.is_default == true)',
        'expert_query', nullif(btrim(given ->> 'expert_query'), ''),
        'criteria', (select coalesce(jsonb_agg(jsonb_build_object('field_id', fields -> (criterion ->> 'field'),
            'operator', criterion ->> 'operator', 'value', criterion -> 'value') order by place), '[]')
          from jsonb_array_elements(coalesce(given -> 'criteria', '[]')) with ordinality each (criterion, place)
          where fields ? (criterion ->> 'field')),
        'renderers', renderers);
      if given -> 'public' = 'false' then
        insert into tracker_report (id, project_id, tracker_id, owner_id, report)
        select part, kept.project_id, kept.id, kept.created_by, report || '{"is_default":false}'
        where kept.created_by is not null;
      else
        reports := reports || (report || jsonb_build_object('id', part));
      end if;
    end loop;
    -- Whoever has it in memory reads it anew.
    update tracker set structure = structure || jsonb_build_object('reports', reports), rights_epoch = rights_epoch + 1
    where id = kept.id;
  end loop;
end $$;
