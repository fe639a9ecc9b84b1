import { expect, test } from 'vitest'
import { readAcrossSearch } from './across-search.ts'
import { writeAcrossQuery } from './write-across-query.ts'

test('without choices, the report shows the open artifacts of all projects of the viewer', () => {
  expect(writeAcrossQuery({})).toBe(
    'SELECT @pretty_title, @status, @assigned_to, @last_update_date, @project.name FROM @project = MY_PROJECTS() WHERE @status = OPEN() ORDER BY @last_update_date DESC',
  )
})

test('the choices of the address are a query', () => {
  const search = {
    project: 'orchard',
    trackers: 'bug,task',
    show: 'mine',
    where: '@title = "pump" OR @comments = "pump"',
    columns: '@pretty_title,severity',
    order: 'title',
  }
  expect(writeAcrossQuery(readAcrossSearch(search))).toBe(
    'SELECT @pretty_title, severity FROM @project.name = "orchard" AND @tracker.name IN ("bug", "task") WHERE @status = OPEN() AND @assigned_to = MYSELF() AND (@title = "pump" OR @comments = "pump") ORDER BY @title',
  )
})

test('an address with usual or unknown choices is as one without', () => {
  expect(readAcrossSearch({ show: 'open', order: 'sideways', columns: '', where: 3 })).toEqual({ where: '3' })
})
