import * as z from 'zod/mini';
import { activityFilterSchema, savedViewSchema } from './activity/filter.ts';
import { addressNews, type RuleName } from './alerts/types.ts';
import { headerNameProblem } from './header-name.ts';
import { mostPasses } from './health/stored.ts';
import { columnLimits, historyLimits } from './limits.ts';
import { switchedKind } from './outbound.ts';

export const avalancheService: ServiceProfile = {
  preset: 'avalanche',
  dataUrl: 'https://data-api.avax.network',
  metricsUrl: 'https://metrics.avax.network',
  keyHeader: 'x-glacier-api-key',
};

/** The header name that the specification uses; the default of a custom service. */
export const specificationKeyHeader = 'x-service-api-key';

/** A sample service on this computer; its data is generated, and the window says so. */
export const sampleServiceProfile: ServiceProfile = {
  preset: 'sample',
  dataUrl: 'http://127.0.0.1:7650',
  metricsUrl: 'http://127.0.0.1:7651',
  keyHeader: specificationKeyHeader,
};

export const defaultSettings: Settings = {
  service: avalancheService,
  theme: 'system',
  timeZone: 'local',
  notation: 'system',
  privacy: false,
  letterKeys: true,
  requestsOff: [],
  proxy: 'system',
  activityCheckMinutes: 5,
  updates: 'off',
  savedViews: [],
  paneWidths: { addresses: null, nodes: null, questions: null },
  columnWidths: {},
  completing: null,
  health: { keepDays: 365, keepMegabytesPerNode: 150, failAfter: 1, recoverAfter: 1 },
  whenClosed: 'ask',
  startAtLogin: false,
  alerts: {
    notifications: true,
    webhook: null,
    heartbeat: null,
    metrics: null,
    rules: { incident: 'tell', standstill: 'tell', disk: 'tell', peers: 'tell', app: 'tell' },
    addresses: [],
    planned: [],
    failAfter: 3,
    recoverAfter: 2,
    silentSeconds: 90,
    ofNodes: [],
    pausedUntilMs: null,
    quiet: { days: [], fromMinute: 22 * 60, toMinute: 7 * 60, wakePasses: true },
  },
};

// `URL` exists in all runtimes that use this folder, but in none of the type libraries it may include.
declare const URL: {
  canParse(text: string): boolean;
  new (text: string): {
    protocol: string;
    username: string;
    password: string;
    origin: string;
    href: string;
  };
};

/** Origin and normalised form of a service's URL; null unless it is http(s), without credentials, query and fragment. */
export function parseServiceUrl(text: string): { origin: string; href: string } | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (url.username !== '' || url.password !== '') return null;
  // Checked in the text, because an empty query or fragment only leaves its `?` or `#`.
  if (/[?#]/.test(url.href)) return null;
  // The window's parser takes a blank in a host and writes it so; that of the main process refuses it.
  if (url.origin.includes('%')) return null;
  return { origin: url.origin, href: url.href.replace(/\/+$/, '') };
}

/** The origin of a service's or node's URL; empty where it is none. */
export const originOf = (url: string): string => parseServiceUrl(url)?.origin ?? '';

const serviceUrlSchema = z.string().check(
  z.maxLength(2048),
  z.refine((text) => parseServiceUrl(text) !== null, {
    error: 'must be an http or https address without a query string',
  }),
);

/** An address of a proxy as it is kept: scheme, host and port. Null if it is none. */
export function parseProxyAddress(text: string): string | null {
  const parsed = parseServiceUrl(/^[a-z]+:\/\//i.test(text.trim()) ? text.trim() : `http://${text.trim()}`);
  return parsed !== null && parsed.href === parsed.origin ? parsed.origin : null;
}

/** Header names are case-insensitive, so they are stored in lower case. */
const headerNameSchema = z.string().check(
  z.refine((name) => name === name.toLowerCase() && headerNameProblem(name) === null, {
    error: 'must be a header name',
  }),
);

/** The service to use. Specification and public service have different `keyHeader`s (service-and-node.md §1). */
export const serviceProfileSchema = z.strictObject({
  preset: z.enum(['avalanche', 'sample', 'custom']),
  /** Base URL of the chain data interface (B), http or https, no trailing slash. */
  dataUrl: serviceUrlSchema,
  /** Base URL of the chain metrics interface (C). */
  metricsUrl: serviceUrlSchema,
  /** Request header that carries the API key; lower case. */
  keyHeader: headerNameSchema,
});

/** Format of the webhook's messages. */
export const webhookShape = z.enum(['json', 'ntfy', 'slack', 'discord']);
/** Level of an alert rule: off, normal or urgent. */
const ruleLevel = z.enum(['off', 'tell', 'wake']);
export const metricsPort = z.int().check(z.gte(1_024), z.lte(65_535));
const minuteOfDay = z.int().check(z.gte(0), z.lt(1_440));

/** In pixels; null for the default width. */
const paneWidth = z.nullable(z.int().check(z.gte(100), z.lte(1_000)));

export const alertThresholds = {
  /** Consecutive failures before an incident's alert, and consecutive passes before its end. */
  failAfter: z.int().check(z.gte(1), z.lte(20)),
  recoverAfter: z.int().check(z.gte(1), z.lte(mostPasses)),
  /** How long a node must be unreachable before the alert. */
  silentSeconds: z.int().check(z.gte(30), z.lte(3_600)),
};

const whole = ({ min, max }: { min: number; max: number }) => z.int().check(z.gte(min), z.lte(max));

export const settingsSchema = z.strictObject({
  service: serviceProfileSchema,
  theme: z.enum(['system', 'light', 'dark']),
  /** Time zone for times of activity. */
  timeZone: z.enum(['local', 'utc']),
  /** Format of dates and numbers: by the system's locale, or ISO 8601. */
  notation: z.enum(['system', 'iso']),
  /** Blurs amounts and labels while it is on. */
  privacy: z.boolean(),
  /** Single letters, digits and signs are keys for commands; off for who speaks to the computer or hits keys by chance. */
  letterKeys: z.boolean(),
  /** Kinds of requests that the user has switched off. */
  requestsOff: z.array(switchedKind).check(z.maxLength(20)),
  /** What passes requests on: by the rules of the system, nothing, or the proxy at this address. */
  proxy: z.string().check(
    z.maxLength(2048),
    z.refine((text) => text === 'system' || text === 'none' || parseProxyAddress(text) === text, {
      error: 'must be “system”, “none” or the address of a proxy',
    }),
  ),
  /** Interval for checking for new activity; 0 means never automatically. */
  activityCheckMinutes: z.literal([0, 1, 5, 15, 60]),
  /** `notify`: checks for newer versions and tells the user. `automatic`: also downloads and installs them. */
  updates: z.enum(['off', 'notify', 'automatic']),
  /** The user's saved filters of the timeline. */
  savedViews: z.array(savedViewSchema).check(z.maxLength(200)),
  /** Widths of the lists on the left of the views. */
  paneWidths: z.strictObject({ addresses: paneWidth, nodes: paneWidth, questions: paneWidth }),
  /**
   * Widths of columns, by their names; a column without one has its default. Those of a result begin with what was
   * asked and a space, then have the path of a field, as its answer names it.
   */
  columnWidths: z
    .record(
      z.string().check(z.minLength(1), z.maxLength(columnLimits.name)),
      z.int().check(z.gte(20), z.lte(1_000)),
    )
    .check(z.refine((widths) => Object.keys(widths).length <= columnLimits.count)),
  /** The rows of a service that the user wants completed; null for none. */
  completing: z.nullable(z.strictObject({ dataUrl: serviceUrlSchema, filter: activityFilterSchema })),
  health: z.strictObject({
    /** Older history is deleted, with the failures that were over by then. */
    keepDays: whole(historyLimits.keepDays),
    /** Beyond this, the oldest days of a node are reduced to roll-ups earlier. */
    keepMegabytesPerNode: whole(historyLimits.keepMegabytesPerNode),
    /** Consecutive failures after which an incident begins, and consecutive passes after which it ends. */
    failAfter: z.int().check(z.gte(1), z.lte(20)),
    recoverAfter: z.int().check(z.gte(1), z.lte(mostPasses)),
  }),
  /** What closing the window does. */
  whenClosed: z.enum(['ask', 'keep', 'quit']),
  /** Without a window. */
  startAtLogin: z.boolean(),
  alerts: z.strictObject({
    /** Messages are shown by the system. */
    notifications: z.boolean(),
    /** Its address is in the keychain; only the origin is kept here. */
    webhook: z.nullable(z.strictObject({ shape: webhookShape, origin: serviceUrlSchema })),
    /** Asked each minute while polling works; its address, too, is in the keychain. */
    heartbeat: z.nullable(serviceUrlSchema),
    /** Prometheus metrics on this computer; the token is in the keychain. */
    metrics: z.nullable(z.strictObject({ port: metricsPort, hasToken: z.boolean() })),
    rules: z.strictObject({
      incident: ruleLevel,
      standstill: ruleLevel,
      disk: ruleLevel,
      peers: ruleLevel,
      app: ruleLevel,
    } satisfies Record<RuleName, z.ZodMiniType>),
    /**
     * Watched addresses with alerts, checksummed: each kind once, with others that were chosen at the same time. Only
     * transactions after `sinceMs`, that time, count.
     */
    addresses: z
      .array(
        z.strictObject({
          address: z.string().check(z.regex(/^0x[\dA-Fa-f]{40}$/)),
          sinceMs: z.int().check(z.gte(0)),
          about: z.array(z.enum(addressNews)).check(z.minLength(1), z.maxLength(addressNews.length)),
        }),
      )
      .check(z.maxLength(1_000 * addressNews.length)),
    /** Work at nodes, also of the past; the newest last. */
    planned: z
      .array(
        z.strictObject({
          nodeId: z.string().check(z.maxLength(200)),
          fromMs: z.int().check(z.gte(0)),
          untilMs: z.int().check(z.gte(0)),
        }),
      )
      .check(z.maxLength(500)),
    ...alertThresholds,
    /** Nodes with thresholds of their own. */
    ofNodes: z
      .array(z.strictObject({ nodeId: z.string().check(z.maxLength(200)), ...alertThresholds }))
      .check(z.maxLength(1_000)),
    /** Until then all messages wait; null, or a time in the past, when none do. */
    pausedUntilMs: z.nullable(z.int().check(z.gte(0))),
    /** Quiet hours, see `alerts/quiet.ts`. */
    quiet: z.strictObject({
      days: z.array(z.int().check(z.gte(0), z.lte(6))).check(z.maxLength(7)),
      fromMinute: minuteOfDay,
      toMinute: minuteOfDay,
      wakePasses: z.boolean(),
    }),
  }),
});

export type ServiceProfile = z.infer<typeof serviceProfileSchema>;
export type Settings = z.infer<typeof settingsSchema>;

/** The zone that times are written in. */
export type TimeZoneChoice = Settings['timeZone'];
export type HealthSettings = Settings['health'];
export type AlertSettings = Settings['alerts'];
