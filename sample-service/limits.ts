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

/** Fixed windows of a minute and of a day, like those that the public service's headers describe. */
export function createLimits(enabledAtStart: boolean, nowSeconds: () => number) {
  let enabled = enabledAtStart;
  /** Used compute units, by client and minute or day. */
  const used = new Map<string, number>();

  return {
    /**
     * Charges one call. `client` identifies the caller: its key, or its address without one. The response headers name
     * the limits only for clients with a key.
     */
    charge(api: keyof typeof costs, client: string, hasKey: boolean) {
      if (!enabled) return { allowed: true, headers: {} };
      const kind = hasKey ? 'keyed' : 'keyless';
      const now = nowSeconds();
      const windowOf = (seconds: number, limit: number) => {
        const name = `${api} ${client} ${seconds} ${Math.floor(now / seconds)}`;
        return { name, seconds, limit, used: (used.get(name) ?? 0) + costs[api] };
      };
      const day = windowOf(86_400, perDayOf[kind]);
      const minute = windowOf(60, perMinuteOf[api][kind]);
      const spent = [day, minute].find((window) => window.used > window.limit);
      if (spent === undefined) for (const window of [day, minute]) used.set(window.name, window.used);
      const { limit, seconds, name } = spent ?? minute;
      const untilReset = String(Math.max(1, Math.ceil(seconds - (now % seconds))));
      return {
        allowed: spent === undefined,
        headers: {
          ...(hasKey && {
            'ratelimit-policy': `${limit};w=${seconds}`,
            'ratelimit-limit': String(limit),
            'ratelimit-remaining': String(limit - (used.get(name) ?? 0)),
          }),
          ...(spent && { 'ratelimit-reset': untilReset, 'retry-after': untilReset }),
        },
      };
    },
    setEnabled(value: boolean) {
      enabled = value;
    },
    /** Forgets all usage. */
    reset() {
      used.clear();
      enabled = enabledAtStart;
    },
  };
}
