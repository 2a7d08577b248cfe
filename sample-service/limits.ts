/** Compute units that a client may use in a minute (service-and-node.md §4). */
const perMinuteOf = {
  data: { keyless: 6000, keyed: 8000 },
  metrics: { keyless: 8000, keyed: 8000 },
} as const;
/** Compute units per day. */
const perDayOf = { keyless: 1_200_000, keyed: 2_000_000 } as const;

/** What one call costs. */
const costs = { data: 20, metrics: 100 } as const;

export type Limits = ReturnType<typeof createLimits>;

interface Window {
  /** Number of the minute or day since 1970. */
  period: number;
  used: number;
}

/** Fixed windows of a minute and of a day, like those that the public service's headers describe. */
export function createLimits(enabledAtStart: boolean, nowSeconds: () => number) {
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
    /**
     * Charges one call. `client` identifies the caller: its key, or its address without one. The response headers name
     * the limits only for clients with a key.
     */
    charge(api: keyof typeof costs, client: string, hasKey: boolean) {
      if (!enabled) return { allowed: true, headers: {} };
      const kind = hasKey ? 'keyed' : 'keyless';
      const [perMinute, perDay] = [perMinuteOf[api][kind], perDayOf[kind]];
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
    setEnabled(value: boolean) {
      enabled = value;
    },
    /** Forgets all usage. */
    reset() {
      windows.clear();
      enabled = enabledAtStart;
    },
  };
}
