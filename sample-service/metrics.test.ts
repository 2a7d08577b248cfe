import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSampleService, type SampleService } from './service.ts';
import { call, field, items } from './testing.ts';
import { createWorld, type World } from './world/world.ts';

const nowSeconds = 1_780_000_000;
const day = 86_400;
let service: SampleService;
/** The same world as the service's, to count in. */
let world: World;

beforeAll(async () => {
  service = await startSampleService({ scale: 0.05, nowSeconds, limits: false });
  world = createWorld({
    seed: 1,
    scale: 0.05,
    names: 'specification',
    startSeconds: nowSeconds,
    nowSeconds: () => nowSeconds,
  });
});

afterAll(async () => {
  await service.close();
});

const get = (path: string) => call(service.ready.metricsUrl + path);

async function series(path: string): Promise<unknown[]> {
  const found: unknown[] = [];
  let token: unknown;
  do {
    const page = await get(`${path}${typeof token === 'string' ? `&pageToken=${token}` : ''}`);
    expect(page.status).toBe(200);
    found.push(...items(page.json, 'results'));
    token = field(page.json, 'nextPageToken');
  } while (typeof token === 'string');
  return found;
}

const total = (points: unknown[]) =>
  points.reduce<number>((sum, point) => sum + Number(field(point, 'value')), 0);

/** Source halves of messages in the world, by source and destination blockchain id. */
function sentMessages(): { source: string; destination: string; at: number; network: string }[] {
  return [...world.walk({ order: 'asc', from: null })].flatMap(({ message, seconds: at }) => {
    if (message?.direction !== 'SOURCE_TRANSACTION') return [];
    const { source, destination } = message;
    return [
      { source: source.blockchainId, destination: destination.blockchainId, at, network: source.network },
    ];
  });
}

describe('the message series', () => {
  it('counts every message once at every interval, and breakdowns add up to totals', async () => {
    const sent = sentMessages();
    expect(sent.length).toBeGreaterThan(200);
    for (const interval of ['day', 'week', 'month']) {
      const whole = await series(`/v2/icm/timeseries?timeInterval=${interval}&pageSize=2160`);
      expect(total(whole)).toBe(sent.length);
      for (const groupBy of ['srcBlockchainId', 'destBlockchainId', 'srcBlockchainId,destBlockchainId']) {
        const split = await series(
          `/v2/icm/timeseries?timeInterval=${interval}&groupBy=${groupBy}&pageSize=2160`,
        );
        expect(total(split)).toBe(sent.length);
        for (const point of whole) {
          const parts = split.filter((part) => field(part, 'timestamp') === field(point, 'timestamp'));
          expect(total(parts)).toBe(field(point, 'value'));
        }
      }
    }
  });

  it('filters by chains, network and time', async () => {
    const sent = sentMessages();
    const [pair] = sent;
    if (pair === undefined) throw new Error('there are no messages');
    const count = (isWanted: (message: (typeof sent)[number]) => boolean) => sent.filter(isWanted).length;
    const query = (text: string) => series(`/v2/icm/timeseries?pageSize=2160&${text}`);
    const fromSource = await query(`srcBlockchainId=${pair.source}`);
    expect(total(fromSource)).toBe(count((message) => message.source === pair.source));
    expect(fromSource[0]).toMatchObject({ srcBlockchainId: pair.source });
    expect(fromSource[0]).not.toHaveProperty('destBlockchainId');
    const both = await query(`srcBlockchainId=${pair.source}&destBlockchainId=${pair.destination}`);
    expect(total(both)).toBe(
      count((message) => message.source === pair.source && message.destination === pair.destination),
    );
    expect(total(await query('network=fuji'))).toBe(count((message) => message.network === 'fuji'));
    const from = Math.floor(nowSeconds / day) * day - 20 * day;
    const ranged = await query(`startTimestamp=${from}&endTimestamp=${from + 5 * day}&timeInterval=day`);
    expect(ranged.map((point) => Number(field(point, 'timestamp')))).toEqual(
      [4, 3, 2, 1, 0].map((n) => from + n * day),
    );
    expect(total(ranged)).toBe(count((message) => message.at >= from && message.at < from + 5 * day));
  });

  it('begins buckets at the hour, the day, the Monday and the 1st in UTC', async () => {
    const firstOf = async (interval: string) => {
      const [point] = await series(
        `/v2/icm/timeseries?timeInterval=${interval}&startTimestamp=${nowSeconds - 40 * day}`,
      );
      return new Date(Number(field(point, 'timestamp')) * 1000).toISOString();
    };
    expect(await firstOf('hour')).toBe('2026-05-28T20:00:00.000Z');
    expect(await firstOf('day')).toBe('2026-05-28T00:00:00.000Z');
    expect(await firstOf('week')).toBe('2026-05-25T00:00:00.000Z');
    expect(await firstOf('month')).toBe('2026-05-01T00:00:00.000Z');
  });
});

describe('the rolling windows', () => {
  const windows = { lastHour: 3600, lastDay: day, lastWeek: 7 * day, lastMonth: 30 * day, allTime: Infinity };

  async function rolling(chain: string, metric: string): Promise<Record<string, number>> {
    const { json } = await get(`/v2/chains/${chain}/rollingWindowMetrics/${metric}`);
    return Object(field(json, 'result'));
  }

  it('count what the lists show', async () => {
    const [chain] = world.chains;
    if (chain === undefined) throw new Error('there is no chain');
    const plans = [...world.walk({ order: 'asc', from: null })].filter((plan) => plan.chain === chain);
    const [txCount, gasUsed, contracts, senders] = await Promise.all(
      ['txCount', 'gasUsed', 'contracts', 'activeSenders'].map((metric) => rolling(chain.chainId, metric)),
    );
    for (const [name, seconds] of Object.entries(windows)) {
      const inside = plans.filter((plan) => nowSeconds - world.records.block(plan).blockTimestamp < seconds);
      expect(txCount?.[name]).toBe(inside.length);
      expect(gasUsed?.[name]).toBe(
        inside.reduce((sum, plan) => sum + Number(world.records.native(plan).gasUsed), 0),
      );
      expect(contracts?.[name]).toBe(inside.reduce((sum, plan) => sum + plan.deed.created.length, 0));
      if (seconds <= 7 * day) expect(senders?.[name]).toBe(new Set(inside.map((plan) => plan.sender)).size);
    }
  });

  it('of a network and of all are made of those of the chains', async () => {
    const counts = new Map<string, Record<string, number>>();
    for (const id of ['43114', '43113', '802117', '907731', '714001', 'total', 'mainnet', 'testnet']) {
      counts.set(id, await rolling(id, 'txCount'));
    }
    const sum = (name: string, ...ids: string[]) =>
      ids.reduce((all, id) => all + (counts.get(id)?.[name] ?? NaN), 0);
    for (const name of Object.keys(windows)) {
      expect(counts.get('mainnet')?.[name]).toBe(sum(name, '43114', '802117', '907731'));
      expect(counts.get('testnet')?.[name]).toBe(sum(name, '43113', '714001'));
      expect(counts.get('total')?.[name]).toBe(sum(name, 'mainnet', 'testnet'));
    }
  });

  it('have all metrics, active ones for three windows only, and every digit of large ones', async () => {
    for (const metric of [
      'avgGps',
      'maxGps',
      'avgTps',
      'maxTps',
      'avgGasPrice',
      'maxGasPrice',
      'deployers',
    ]) {
      const result = await rolling('total', metric);
      expect(Object.keys(result)).toHaveLength(7);
      expect(result['allTime']).toBeGreaterThan(0);
    }
    for (const metric of ['activeAddresses', 'activeSenders']) {
      expect(Object.keys(await rolling('total', metric))).toEqual(['lastHour', 'lastDay', 'lastWeek']);
    }
    const fees = await get('/v2/chains/total/rollingWindowMetrics/feesPaid');
    expect(fees.text).toMatch(/"allTime":\d{19,}[,}]/);
  });
});

describe('the staking series', () => {
  it('is daily, newest first, and carries weights beyond 2^53 exactly', async () => {
    const page = await get('/v2/networks/mainnet/metrics/validatorWeight?pageSize=5');
    const times = items(page.json, 'results').map((point) => Number(field(point, 'timestamp')));
    expect(times.every((time) => time % day === 0)).toBe(true);
    expect(times.map((time) => (times[0] ?? 0) - time)).toEqual([0, 1, 2, 3, 4].map((n) => n * day));
    expect(page.text).toMatch(/"value":\d{17,}[,}]/);
  });

  it('takes the Primary Network without a subnet, knows the others, and is empty for strangers', async () => {
    const { subnetIds } = service.ready.examples;
    const read = async (subnetId: string, metric = 'validatorCount') =>
      items(
        (await get(`/v2/networks/mainnet/metrics/${metric}?pageSize=1&subnetId=${subnetId}`)).json,
        'results',
      );
    const [primary = '', other = ''] = subnetIds;
    const plain = await get('/v2/networks/mainnet/metrics/validatorCount?pageSize=1');
    expect(await read(primary)).toEqual(items(plain.json, 'results'));
    expect(Number(field((await read(primary))[0], 'value'))).toBeGreaterThan(20);
    expect(Number(field((await read(primary, 'delegatorCount'))[0], 'value'))).toBeGreaterThan(50);
    expect(field((await read(other))[0], 'value')).toBe(6);
    expect(await read('2W5Bn2xCL2ZufEDUHEXFTmc9WNSV8bnoijjmWLpCEv5RwSAKbg')).toEqual([]);
  });
});

describe('the fees of a validator', () => {
  it('add up day by day', async () => {
    const { nodeId } = service.ready.examples;
    const read = async (metric: string, query = '') =>
      items((await get(`/v2/validator/${nodeId}/metrics/${metric}${query}`)).json, 'results');
    const daily = (await read('perNodeDailyFeesPaid')).toReversed();
    const cumulative = (await read('perNodeCumulativeFeesPaid')).toReversed();
    expect(daily.length).toBeGreaterThan(300);
    let sum = 0;
    daily.forEach((point, i) => {
      sum += Number(field(point, 'value'));
      expect(cumulative[i]).toEqual({ value: sum, timestamp: field(point, 'timestamp') });
    });
    const from = Math.floor(nowSeconds / day) * day - 3 * day;
    expect(
      await read('perNodeDailyFeesPaid', `?startTimestamp=${from}&endTimestamp=${from + 2 * day}`),
    ).toHaveLength(2);
  });
});
