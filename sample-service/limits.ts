/** Compute units a client may use (facts §4). */
interface Allowance {
  readonly perMinute: number;
  readonly perDay: number;
}

const allowances = {
  data: { keyless: { perMinute: 6000, perDay: 1_200_000 }, keyed: { perMinute: 8000, perDay: 2_000_000 } },
  metrics: { keyless: { perMinute: 8000, perDay: 1_200_000 }, keyed: { perMinute: 8000, perDay: 2_000_000 } },
} as const satisfies Record<string, Record<string, Allowance>>;

/** What one call costs. */
const costs = { data: 20, metrics: 100 } as const;

export type LimitedApi = keyof typeof costs;

export interface Verdict {
  readonly allowed: boolean;
  /** Response headers; the limits are told to clients with a key only. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Limits {
  /** Charges one call. `client` tells callers apart: the key, or the address of one without. */
  charge(api: LimitedApi, client: string, hasKey: boolean): Verdict;
  setEnabled(enabled: boolean): void;
  reset(): void;
}

interface Window {
  /** Number of the minute or day since 1970. */
  period: number;
  used: number;
}

/** Fixed windows of a minute and of a day, like those that the public service's headers describe. */
export function createLimits(enabledAtStart: boolean, nowSeconds: () => number): Limits {
  let enabled = enabledAtStart;
  const windows = new Map<string, Window>();

  function windowOf(name: string, period: number): Window {
    const known = windows.get(name);
    if (known?.period === period) return known;
    const fresh = { period, used: 0 };
    windows.set(name, fresh);
    return fresh;
  }

  return {
    charge(api, client, hasKey) {
      if (!enabled) return { allowed: true, headers: {} };
      const { perMinute, perDay } = allowances[api][hasKey ? 'keyed' : 'keyless'];
      const now = nowSeconds();
      const minute = windowOf(`minute ${api} ${client}`, Math.floor(now / 60));
      const day = windowOf(`day ${api} ${client}`, Math.floor(now / 86_400));
      const cost = costs[api];
      const isDaySpent = day.used + cost > perDay;
      const allowed = !isDaySpent && minute.used + cost <= perMinute;
      if (allowed) {
        minute.used += cost;
        day.used += cost;
      }
      const [limit, seconds, used] = isDaySpent ? [perDay, 86_400, day.used] : [perMinute, 60, minute.used];
      const untilReset = String(Math.max(1, Math.ceil(seconds - (now % seconds))));
      return {
        allowed,
        headers: {
          ...(hasKey
            ? {
                'ratelimit-policy': `${limit};w=${seconds}`,
                'ratelimit-limit': String(limit),
                'ratelimit-remaining': String(limit - used),
              }
            : {}),
          ...(allowed ? {} : { 'ratelimit-reset': untilReset, 'retry-after': untilReset }),
        },
      };
    },
    setEnabled(value) {
      enabled = value;
    },
    reset: () => windows.clear(),
  };
}
