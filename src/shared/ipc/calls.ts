import * as z from 'zod/mini';
import type { AppLink } from '../app-link.ts';
import type { EndpointId, ResponseById } from '../endpoints/registry.ts';
import type { Attempt, RunPage, RunSummary, RunTarget } from '../explore/types.ts';
import { settingsSchema, type Settings } from '../settings.ts';
import type { AppSnapshot, QueryResult, SecretStatus } from './answers.ts';
import { answer, filled, oneTo, text } from './call.ts';
import { activityCalls } from './calls-activity.ts';
import { healthCalls } from './calls-health.ts';

const id = filled(100);
const runId = id;
const { shape: settings } = settingsSchema;
const namesAndTexts = z.record(text(100), text(4096));
const pages = z.enum(['one', 'all']);

// A cast, because which ids there are is the registry's business: the run service checks them against it.
const runTarget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('endpoint'), endpointId: text(100), params: namesAndTexts }),
  z.strictObject({
    kind: z.literal('node'),
    nodeId: id,
    callId: text(100),
    tags: z.array(text(200)).check(z.maxLength(50)),
  }),
]) as unknown as z.ZodMiniType<RunTarget>;

/**
 * What the window can call, with the fields of the one argument and what is answered. At run time only the main process
 * has it: `register.ts` refuses what does not fit before any handler sees it.
 */
export const calls = {
  'app.snapshot': answer<AppSnapshot>().toNothing(),
  /** Only `https:` and only right after the user's own click or key press. */
  'app.openExternal': answer<null>().to({ url: text(4096) }),
  /** Puts text on the clipboard, which the page itself has no permission for; as much as the largest answer that is kept. */
  'app.copyText': answer<null>().to({ text: text(32 * 1024 * 1024) }),
  /** Shows the profile folder, and no other, in the system's file manager. */
  'app.showDataFolder': answer<null>().toNothing(),
  /** The link of another program that waits to be gone to, each once; null without any. */
  'app.takeLink': answer<AppLink | null>().toNothing(),
  /** A part of the window could not be drawn; the log keeps why, and `ref` finds it there. */
  'app.drawingFailed': answer<{ ref: string }>().to({
    where: text(100),
    error: z.strictObject({ name: text(100), stack: text(10_000) }),
  }),
  'settings.update': answer<Settings>().to({
    service: z.exactOptional(settings.service),
    theme: z.exactOptional(settings.theme),
    timeZone: z.exactOptional(settings.timeZone),
    notation: z.exactOptional(settings.notation),
    privacy: z.exactOptional(settings.privacy),
    activityCheckMinutes: z.exactOptional(settings.activityCheckMinutes),
    savedViews: z.exactOptional(settings.savedViews),
    health: z.exactOptional(settings.health),
  }),
  /** `storage: 'session'` keeps the key in memory until the app ends. */
  'secret.set': answer<SecretStatus>().to({ key: filled(4096), storage: z.enum(['keychain', 'session']) }),
  'secret.remove': answer<SecretStatus>().toNothing(),
  /** Sends one small request with the key; ok when the service accepts it. */
  'secret.test': answer<{ answeredInMs: number }>().toNothing(),
  'endpoint.query': answer<QueryResult<ResponseById[EndpointId]>>().to({
    // A cast, because which ids there are is the registry's business: the query engine checks id and parameters against it.
    endpointId: text(100) as unknown as z.ZodMiniType<EndpointId>,
    params: namesAndTexts,
    refresh: z.enum(['cached', 'if-stale', 'always']),
    includeRaw: z.boolean(),
    requestId: id,
  }),
  'endpoint.cancel': answer<null>().to({ requestId: id }),
  /** Begins a query of the user; answers when its first page is stored or has failed. `all` goes on by itself. */
  'runs.start': answer<RunSummary>().to({ target: runTarget, pages }),
  /** Fetches the next page, or all that are left, of a stored query; for `all` answers when it has begun. */
  'runs.continue': answer<RunSummary>().to({ runId, pages }),
  'runs.cancel': answer<null>().to({ runId }),
  /** Newest first. `text` is looked for in titles, ids and parameters; empty for all. */
  'runs.list': answer<{ runs: RunSummary[]; nextCursor: string | null; totalCount: number }>().to({
    text: text(200),
    cursor: z.nullable(text(500)),
    limit: oneTo(1_000),
  }),
  'runs.page': answer<RunPage>().to({ runId, index: z.int().check(z.gte(0), z.lte(1_000_000)) }),
  'runs.attempts': answer<Attempt[]>().to({ runId }),
  'runs.remove': answer<null>().to({ runId }),
  /** Asks the user for a place and writes all stored pages there; null when the user cancels. */
  'runs.export': answer<{ path: string; rowCount: number } | null>().to({
    runId,
    format: z.enum(['csv', 'json']),
  }),
  ...activityCalls,
  ...healthCalls,
};
