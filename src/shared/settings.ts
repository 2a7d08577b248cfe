import * as z from 'zod/mini';
import { activityFilterSchema, savedViewSchema } from './activity/filter.ts';
import { headerNameProblem } from './header-name.ts';

export const avalancheService: ServiceProfile = {
  preset: 'avalanche',
  dataUrl: 'https://data-api.avax.network',
  metricsUrl: 'https://metrics.avax.network',
  keyHeader: 'x-glacier-api-key',
};

/** The header name that the specification uses; the default of a custom service. */
export const specificationKeyHeader = 'x-service-api-key';

/** A stand-in on this computer: what it returns is made up, and the window says so. */
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
  activityCheckMinutes: 5,
  savedViews: [],
  completing: null,
  health: { keepDays: 365, keepMegabytesPerNode: 150, failAfter: 1, recoverAfter: 1 },
};

/** True for an absolute http(s) URL without credentials, query or fragment. */
function isServiceUrl(text: string): boolean {
  return parseServiceUrl(text) !== null;
}

// `URL` is in every runtime that this folder serves, but in none of the type libraries it may name.
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

/** Origin and normalised address of a service URL, or null when it may not be used as one. */
export function parseServiceUrl(text: string): { origin: string; href: string } | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (url.username !== '' || url.password !== '') return null;
  // In the text of the address, because an empty query or fragment leaves only its sign there.
  if (/[?#]/.test(url.href)) return null;
  return { origin: url.origin, href: url.href.replace(/\/+$/, '') };
}

const serviceUrlSchema = z
  .string()
  .check(
    z.maxLength(2048),
    z.refine(isServiceUrl, { error: 'must be an http or https address without query' }),
  );

/** Header names are compared without case, so they are kept lower. */
const headerNameSchema = z.string().check(
  z.refine((name) => name === name.toLowerCase() && headerNameProblem(name) === null, {
    error: 'must be a header name',
  }),
);

/** Which service the app talks to. `keyHeader`: the specification writes a neutral name, the public service its own (service-and-node.md §1). */
export const serviceProfileSchema = z.strictObject({
  preset: z.enum(['avalanche', 'sample', 'custom']),
  /** Base URL of the chain data interface (B), http or https, no trailing slash. */
  dataUrl: serviceUrlSchema,
  /** Base URL of the chain metrics interface (C). */
  metricsUrl: serviceUrlSchema,
  /** Request header that carries the API key; lower case. */
  keyHeader: headerNameSchema,
});

export const settingsSchema = z.strictObject({
  service: serviceProfileSchema,
  theme: z.enum(['system', 'light', 'dark']),
  /** How times of activity are written. */
  timeZone: z.enum(['local', 'utc']),
  /** How dates and numbers are written: as in the place that the system is set to, or by ISO 8601. */
  notation: z.enum(['system', 'iso']),
  /** Blurs amounts and labels until it is switched off again. */
  privacy: z.boolean(),
  /** How often new activity is looked for; 0 is never by itself. */
  activityCheckMinutes: z.literal([0, 1, 5, 15, 60]),
  /** Filters of the timeline that the user has named. */
  savedViews: z.array(savedViewSchema).check(z.maxLength(200)),
  /** The rows of a service that the user wants completed; null when none are. */
  completing: z.nullable(z.strictObject({ dataUrl: serviceUrlSchema, filter: activityFilterSchema })),
  health: z.strictObject({
    /** Older history is forgotten; incidents stay. */
    keepDays: z.int().check(z.gte(1), z.lte(3_650)),
    /** The oldest days of a node are rolled up earlier when its history is larger. */
    keepMegabytesPerNode: z.int().check(z.gte(5), z.lte(10_000)),
    /** Failures in a row after which an incident begins, and passes in a row after which it ends. */
    failAfter: z.int().check(z.gte(1), z.lte(20)),
    recoverAfter: z.int().check(z.gte(1), z.lte(20)),
  }),
});

export type ServiceProfile = z.infer<typeof serviceProfileSchema>;
export type Settings = z.infer<typeof settingsSchema>;
export type HealthSettings = Settings['health'];
