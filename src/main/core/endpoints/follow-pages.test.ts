import { describe, expect, it } from 'vitest';
import { err, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { followPages } from './follow-pages.ts';

interface Page {
  nextToken: string | null;
  rows: string[];
}

const refusal: AppError = { code: 'not-found', message: 'No such token.' };

/** Follows a list whose answers are made from token and number of the request; `wanted` pages are taken at most. */
async function follow(
  answer: (token: string | null, request: number) => Result<Page>,
  { wanted = Infinity, from = {}, problem = null as AppError | null, mostIdlePages = 20 } = {},
) {
  const asked: (string | null)[] = [];
  const taken: string[] = [];
  let restarts = 0;
  const error = await followPages<Page>(
    {
      ask: async (token) => answer(token, asked.push(token)),
      contentOf: ({ rows }) => new Set(rows),
      ...(mostIdlePages === 20 ? {} : { mostIdlePages }),
      take: async ({ rows, nextToken }) => {
        taken.push(...rows);
        return taken.length < wanted ? nextToken : null;
      },
      place: () => String(taken.length),
      restart: () => {
        restarts += 1;
        return problem;
      },
    },
    { token: null, ...from },
  );
  return { asked, taken, restarts, error };
}

const page = (row: string, nextToken: string | null): Result<Page> => ok({ rows: [row], nextToken });

describe('the pages of a list', () => {
  it('are asked for by their tokens until there is none', async () => {
    const walked = await follow((token, n) => page(`row ${n}`, n < 3 ? `${token ?? ''}+` : null));
    expect(walked).toEqual({
      asked: [null, '+', '++'],
      taken: ['row 1', 'row 2', 'row 3'],
      restarts: 0,
      error: null,
    });
  });

  it('are left when no more are wanted, in circles or not', async () => {
    expect(await follow((_token, n) => page(`row ${n}`, 'same'), { wanted: 2 })).toMatchObject({
      error: null,
    });
  });

  it('go in circles when a token comes again, also one of an earlier walk', async () => {
    const walked = await follow((_token, n) => page(`row ${n}`, 'same'));
    expect(walked).toMatchObject({ asked: [null, 'same'], error: { code: 'bad-response' } });
    const later = await follow((_token, n) => page(`row ${n}`, 'same'), { from: { tokensBefore: ['same'] } });
    expect(later).toMatchObject({ asked: [null], error: { code: 'bad-response' } });
  });

  it('go in circles when many in a row bring nothing new', async () => {
    const walked = await follow((_token, n) => page('row', `token ${n}`));
    expect(walked.error).toMatchObject({ code: 'bad-response' });
    // The first one is new.
    expect(walked.asked).toHaveLength(22);
    const patient = await follow((_token, n) => page('row', `token ${n}`), { mostIdlePages: 100 });
    expect(patient.asked).toHaveLength(102);
  });

  it('end with an error that is not about the token', async () => {
    const away: AppError = { code: 'unreachable', message: 'Away.' };
    const walked = await follow((_token, n) => (n === 2 ? err(away) : page('row', 'next')));
    expect(walked).toMatchObject({ asked: [null, 'next'], restarts: 0, error: away });
    expect(await follow(() => err(refusal))).toMatchObject({ restarts: 0, error: refusal });
  });
});

describe('a token that is refused', () => {
  it('costs a new list, which may use the same tokens again', async () => {
    const walked = await follow((token, n) => {
      if (n === 3) return err(refusal);
      return page(`row ${n}`, { '': 'a', a: 'b', b: null }[token ?? ''] ?? null);
    });
    expect(walked).toMatchObject({ asked: [null, 'a', 'b', null, 'a', 'b'], restarts: 1, error: null });
  });

  it('ends the walk at the same place again, also where an earlier walk was refused', async () => {
    const answer = (token: string | null) =>
      token === null ? ok({ rows: [], nextToken: 'a' }) : err(refusal);
    expect(await follow(answer)).toMatchObject({
      asked: [null, 'a', null, 'a'],
      restarts: 1,
      error: refusal,
    });
    const later = await follow(answer, { from: { refusedAt: '0' } });
    expect(later).toMatchObject({ asked: [null, 'a'], restarts: 0, error: refusal });
  });

  it('is told in words where the list was begun again before', async () => {
    const error = await followPages<Page>(
      {
        ask: async () => err(refusal),
        contentOf: () => new Set(),
        take: async () => null,
        place: () => 'here',
        restart: () => null,
        stuck: ({ message, ...rest }) => ({ ...rest, message: `${message} Again.` }),
      },
      { token: 'a', refusedAt: 'here' },
    );
    expect(error?.message).toBe('No such token. Again.');
  });

  it('ends the walk where the list cannot be begun again', async () => {
    const problem: AppError = { ...refusal, message: 'No such token, and no way back.' };
    const answer = (token: string | null) => (token === null ? page('row', 'a') : err(refusal));
    expect(await follow(answer, { problem })).toMatchObject({ asked: [null, 'a'], error: problem });
  });
});
