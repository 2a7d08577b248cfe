import { isServiceUrl } from '../../../../shared/settings.ts';

/** As often as a node runs its checks by default (`--health-check-frequency`). */
export const usualIntervalMs = 30_000;

/** What to say about the URL of a node, or null; an unfinished one is no problem until the field was left. */
export function nodeUrlProblem(text: string, left: boolean): string | null {
  const url = text.trim();
  if (!left) return null;
  if (url === '') return 'Enter the URL of the node.';
  if (!/^https?:\/\//i.test(url)) return 'It has to begin with http:// or https://.';
  if (!URL.canParse(url)) return 'This is not a URL.';
  if (new URL(url).username !== '' || new URL(url).password !== '') {
    return 'Leave out the user name and password: they would be stored and sent in the clear.';
  }
  if (!isServiceUrl(url)) return 'Leave out everything after the path: no “?” and no “#”.';
  if (/\/ext\/health/i.test(url)) return 'Leave out /ext/health: it is added by itself.';
  return null;
}

/** How often a node can be asked; an unusual value that is in use stays on offer. */
export function intervalChoices(currentMs: number): { ms: number; text: string }[] {
  const usual = [
    { ms: 10_000, text: 'every 10 seconds' },
    { ms: usualIntervalMs, text: 'every 30 seconds' },
    { ms: 60_000, text: 'every minute' },
    { ms: 300_000, text: 'every 5 minutes' },
  ];
  return usual.some((choice) => choice.ms === currentMs)
    ? usual
    : [...usual, { ms: currentMs, text: `every ${currentMs / 1_000} seconds` }].sort((a, b) => a.ms - b.ms);
}
