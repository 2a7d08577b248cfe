import * as z from 'zod/mini';
import type { AppLink } from '../app-link.ts';
import type { EndpointId, ResponseById } from '../endpoints/registry.ts';
import type { Attempt, RunList, RunPage, RunSummary, RunTarget } from '../explore/types.ts';
import { longest } from '../limits.ts';
import { settingsSchema, type Settings } from '../settings.ts';
import type { AppSnapshot, QueryResult, Removed, SecretStatus } from './answers.ts';
import { answer, filled, oneTo, text } from './call.ts';
import { activityCalls } from './calls-activity.ts';
import { healthCalls } from './calls-health.ts';

const id = filled(100);
const runId = id;
const pageIndex = z.int().check(z.gte(0), z.lte(1_000_000));
/** What the main process alone sets is left out. */
const settable = z.omit(settingsSchema, { completing: true });
const namesAndTexts = z.record(text(100), text(4096));
const pages = z.enum(['one', 'all']);

// A cast, because the run service validates the ids against the registry.
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
 * The calls of the window, with their arguments and results. At run time only the main process uses this: `register.ts`
 * rejects invalid arguments before any handler is called.
 */
export const calls = {
  'app.snapshot': answer<AppSnapshot>().toNothing(),
  /** Only `https:` and only right after the user's own click or key press. */
  'app.openExternal': answer<null>().to({ url: text(4096) }),
  /** Copies text, for which the page has no permission; the limit is the size of the largest stored answer. */
  'app.copyText': answer<null>().to({ text: text(32 * 1024 * 1024) }),
  /** Shows the profile folder in the system's file manager. */
  'app.showDataFolder': answer<null>().toNothing(),
  /** Whether this instance shows sample data; known from the start. */
  'app.isSample': answer<boolean>().toNothing(),
  /** Opens the sample data in a separate instance; resolves when that is starting. */
  'app.openSample': answer<null>().toNothing(),
  'app.quit': answer<null>().toNothing(),
  /** Takes the pending link of another program; each is returned once, null without any. */
  'app.takeLink': answer<AppLink | null>().toNothing(),
  /** Reports an error while rendering; the log keeps it under `ref`. */
  'app.drawingFailed': answer<{ ref: string }>().to({
    where: text(100),
    error: z.strictObject({ name: text(100), stack: text(10_000) }),
  }),
  'settings.update': answer<Settings>().to(z.exactPartial(settable).shape),
  /**
   * Restores what was removed, or deletes it for good. Unsettled removals are deleted when the page of the window is gone, the
   * app ends, or another service is chosen.
   */
  'removals.settle': answer<null>().to({ undoId: id, putBack: z.boolean() }),
  /** `storage: 'session'` keeps the key in memory until the app ends. */
  'secret.set': answer<SecretStatus>().to({ key: filled(4096), storage: z.enum(['keychain', 'session']) }),
  'secret.remove': answer<SecretStatus>().toNothing(),
  /** Sends one small request with the key; ok when the service accepts it. */
  'secret.test': answer<{ answeredInMs: number }>().toNothing(),
  /** The login for a proxy that is in use; it goes to the keychain. */
  'proxy.logIn': answer<null>().to({ proxy: text(2048), user: filled(200), password: text(4096) }),
  'proxy.forgetLogin': answer<null>().to({ proxy: text(2048) }),
  'endpoint.query': answer<QueryResult<ResponseById[EndpointId]>>().to({
    // A cast, because the query engine validates id and parameters against the registry.
    endpointId: text(100) as unknown as z.ZodMiniType<EndpointId>,
    params: namesAndTexts,
    refresh: z.enum(['cached', 'if-stale', 'always']),
    includeRaw: z.boolean(),
    requestId: id,
  }),
  'endpoint.cancel': answer<null>().to({ requestId: id }),
  /**
   * Starts a query; resolves when its first page is stored or has failed. `all` continues in the background, up to as
   * many pages as the settings say.
   */
  'runs.start': answer<RunSummary>().to({ target: runTarget, pages }),
  /** Fetches the next page of a stored query, or all that are left, up to as many as the settings say; for `all` resolves when that has begun. */
  'runs.continue': answer<RunSummary>().to({ runId, pages }),
  'runs.cancel': answer<null>().to({ runId }),
  /** Past queries from a place in the list on, the newest first. */
  'runs.list': answer<RunList>().to({
    filter: z.strictObject({
      text: text(longest.search),
      states: z.array(z.enum(['running', 'partial', 'complete', 'failed'])).check(z.maxLength(4)),
      asked: z.nullable(text(100)),
      fromMs: z.nullable(z.int()),
      beforeMs: z.nullable(z.int()),
    }),
    offset: z.int().check(z.gte(0)),
    limit: oneTo(200),
  }),
  'runs.page': answer<RunPage>().to({ runId, index: pageIndex }),
  /** A page as it was received. */
  'runs.text': answer<string>().to({ runId, index: pageIndex }),
  'runs.attempts': answer<Attempt[]>().to({ runId }),
  'runs.remove': answer<Removed>().to({ runId }),
  /** Asks the user for a path and writes all stored pages there; null when the user cancelled. */
  'runs.export': answer<{ path: string; rowCount: number } | null>().to({
    runId,
    format: z.enum(['csv', 'json']),
  }),
  /** The text of the diagnostics file, to be shown before it is saved. */
  'diagnostics.read': answer<{ text: string }>().to({ withoutAddresses: z.boolean() }),
  /** Asks the user for a path and saves the text that was last read; null when the user cancelled. */
  'diagnostics.save': answer<{ path: string } | null>().toNothing(),
  /** Resolves when the check has ended; `updates.changed` has the result. */
  'updates.ask': answer<null>().toNothing(),
  /** Downloads the available version, to be installed when the app ends. */
  'updates.download': answer<null>().toNothing(),
  'updates.cancel': answer<null>().toNothing(),
  ...activityCalls,
  ...healthCalls,
};
