import { createContext } from 'svelte';

/**
 * Logs that a part of the window could not be shown, and returns the reference of the entry in the log, or null
 * when logging failed. Set by the app, because this folder does not know the bridge.
 */
export type ReportFailure = (where: string, error: unknown) => Promise<string | null>;

export const [useFailureReport, provideFailureReport] = createContext<ReportFailure>();
