import * as z from 'zod/mini';
import type { EndpointId } from '../endpoints/registry.ts';
import type { RunTarget } from '../explore/types.ts';
import { settingsSchema } from '../settings.ts';
import { activitySchemas } from './schemas-activity.ts';
import { healthSchemas } from './schemas-health.ts';

// Used by the main process only: what arrives from the window is `unknown` until it has passed one of these.

const nothing = z.undefined();
const id = z.string().check(z.minLength(1), z.maxLength(100));
const runId = id;
const { shape: settings } = settingsSchema;
const namesAndTexts = z.record(z.string().check(z.maxLength(100)), z.string().check(z.maxLength(4096)));
const pages = z.enum(['one', 'all']);

// A cast, because which ids there are is the registry's business: the run service checks them against it.
const runTarget = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('endpoint'),
    endpointId: z.string().check(z.maxLength(100)),
    params: namesAndTexts,
  }),
  z.strictObject({
    kind: z.literal('node'),
    nodeId: id,
    callId: z.string().check(z.maxLength(100)),
    tags: z.array(z.string().check(z.maxLength(200))).check(z.maxLength(50)),
  }),
]) as unknown as z.ZodMiniType<RunTarget>;

/** One schema a channel; `register.ts` refuses what does not fit before any handler sees it. */
export const argumentSchemas = {
  'app.snapshot': nothing,
  'app.openExternal': z.strictObject({ url: z.string().check(z.maxLength(4096)) }),
  // As much as the largest answer that is kept.
  'app.copyText': z.strictObject({ text: z.string().check(z.maxLength(32 * 1024 * 1024)) }),
  'app.showDataFolder': nothing,
  'app.drawingFailed': z.strictObject({
    where: z.string().check(z.maxLength(100)),
    error: z.strictObject({
      name: z.string().check(z.maxLength(100)),
      stack: z.string().check(z.maxLength(10_000)),
    }),
  }),
  'app.takeLink': nothing,
  'settings.update': z.strictObject({
    service: z.exactOptional(settings.service),
    theme: z.exactOptional(settings.theme),
    timeZone: z.exactOptional(settings.timeZone),
    privacy: z.exactOptional(settings.privacy),
    activityCheckMinutes: z.exactOptional(settings.activityCheckMinutes),
    savedViews: z.exactOptional(settings.savedViews),
    health: z.exactOptional(settings.health),
  }),
  'secret.set': z.strictObject({
    key: z.string().check(z.minLength(1), z.maxLength(4096)),
    storage: z.enum(['keychain', 'session']),
  }),
  'secret.remove': nothing,
  'secret.test': nothing,
  'endpoint.query': z.strictObject({
    // A cast, because which ids there are is the registry's business: the query engine checks id and parameters against it.
    endpointId: z.string().check(z.maxLength(100)) as unknown as z.ZodMiniType<EndpointId>,
    params: namesAndTexts,
    refresh: z.enum(['cached', 'if-stale', 'always']),
    includeRaw: z.boolean(),
    requestId: id,
  }),
  'endpoint.cancel': z.strictObject({ requestId: id }),
  'runs.start': z.strictObject({ target: runTarget, pages }),
  'runs.continue': z.strictObject({ runId, pages }),
  'runs.cancel': z.strictObject({ runId }),
  'runs.list': z.strictObject({
    text: z.string().check(z.maxLength(200)),
    cursor: z.nullable(z.string().check(z.maxLength(500))),
    limit: z.int().check(z.gte(1), z.lte(1_000)),
  }),
  'runs.page': z.strictObject({ runId, index: z.int().check(z.gte(0), z.lte(1_000_000)) }),
  'runs.attempts': z.strictObject({ runId }),
  'runs.remove': z.strictObject({ runId }),
  'runs.export': z.strictObject({ runId, format: z.enum(['csv', 'json']) }),
  ...activitySchemas,
  ...healthSchemas,
};
