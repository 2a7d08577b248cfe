/**
 * A run has the times of its oldest and its newest page, where it had that of the newest alone; and the base URL that
 * was asked, where it had the origin. Which headers were sent was not recorded.
 */
export const timesAndRequestsOfRuns = `
UPDATE run SET run_json = json_remove(
  json_set(
    run_json,
    '$.fetched', json((
      SELECT CASE WHEN count(*) = 0 THEN NULL ELSE json_object(
        'fromMs', min(page_json ->> 'fetchedAtMs'), 'toMs', max(page_json ->> 'fetchedAtMs')
      ) END FROM run_page WHERE run_ref = run.id
    )),
    '$.baseUrl', run_json ->> '$.walk.baseUrl',
    '$.headerNames', json('null')
  ),
  '$.fetchedAtMs', '$.origin', '$.walk.baseUrl'
);
`;
