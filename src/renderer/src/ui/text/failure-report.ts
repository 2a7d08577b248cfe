import { createContext } from 'svelte';

/**
 * Tells the log that a part of the window could not be drawn, and answers with the reference that finds it there, or null
 * when the log could not be told. Given by the app: what is in this folder knows no bridge.
 */
export type ReportFailure = (where: string, error: unknown) => Promise<string | null>;

export const [useFailureReport, provideFailureReport] = createContext<ReportFailure>();
