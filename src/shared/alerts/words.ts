import { noAnswer } from '../health/no-answer.ts';
import { listed } from '../health/names.ts';
import { counted } from '../text.ts';
import { spanWords } from '../time.ts';
import type { AddressNewsKind, Alert, AlertMember, AlertMessage } from './types.ts';

export type Words = Pick<AlertMessage, 'title' | 'body' | 'hidden'>;

export const newsWords: Readonly<Record<AddressNewsKind, string>> = {
  'look-alike': 'Sent to a look-alike address',
  failed: 'Failed',
  sent: 'Sent',
  received: 'Received',
};

/** Local time of day; with the date where it is not of today. */
export function timeWords(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (at.toDateString() === new Date(nowMs).toDateString()) return time;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`;
}

/** What an alert is about in one sentence: nodes that do not answer first, since others may fail because of them. */
export function headline(alert: Pick<Alert, 'members'>): string {
  const members = lastingOf(alert);
  const gone = members.filter(({ subject, rule }) => rule === 'incident' && subject === noAnswer);
  const [first, ...more] = members.filter((member) => !gone.includes(member));
  const goneNames = namesOf(gone);
  const goneWords = `${listed(goneNames)} ${goneNames.length > 1 ? 'aren’t' : 'isn’t'} responding`;
  if (first === undefined) return goneWords;
  const others = namesOf([first, ...more]);
  if (gone.length > 0) {
    const because = members.some((member) =>
      member.because.some((id) => gone.some((one) => one.nodeId === id)),
    );
    return `${goneWords}; ${listed(others)} ${others.length > 1 ? 'are' : 'is'} failing ${because ? 'as a result' : 'too'}`;
  }
  if (others.length === 1)
    return more.length === 0 ? first.words : `${first.words} (and ${counted(more.length, 'more problem')})`;
  const alsoNames = namesOf(more).filter((name) => name !== first.nodeName);
  return `${first.words}; ${listed(alsoNames)} ${alsoNames.length > 1 ? 'are' : 'is'} also affected`;
}

/** What has not ended; all of it where nothing is left. */
export function lastingOf({ members }: Pick<Alert, 'members'>): readonly AlertMember[] {
  const lasting = members.filter(({ endedAtMs }) => endedAtMs === null);
  return lasting.length > 0 ? lasting : members;
}

function namesOf(members: readonly AlertMember[]): string[] {
  return [...new Set(members.map(({ nodeName }) => nodeName))];
}

/** Message about one alert. What is said of the app itself names nothing of the user's. */
export function alertWords(kind: AlertMessage['kind'], alert: Alert, nowMs: number): Words {
  const words = wordsOf(kind, alert, nowMs);
  return alert.members.every(({ rule }) => rule === 'app') ? { ...words, hidden: words.title } : words;
}

function wordsOf(kind: AlertMessage['kind'], alert: Alert, nowMs: number): Words {
  const what = headline(alert);
  const lastedMs = (alert.endedAtMs ?? nowMs) - alert.startedAtMs;
  // Not known where the clock was set back meanwhile.
  const after = lastedMs < 0 ? '' : ` after ${spanWords(lastedMs)}`;
  const atWords = timeWords(alert.startedAtMs, nowMs);
  const names = namesOf(lastingOf(alert));
  const nodes = counted(names.length, 'node');
  const others = alert.members.slice(1, 6).map(({ words }) => `\n${words}`);
  const about = (title: string, hidden: string, more = ''): Words => ({
    ...{ title, body: `Since ${atWords}.${more}`, hidden: `${nodes}: ${hidden}` },
  });
  const named = (state: string, body: string): Words => ({
    ...{ title: `${listed(names)}: ${state}`, body, hidden: `${nodes}: ${state}` },
  });
  switch (kind) {
    case 'news':
      return { title: what, body: `At ${atWords}.`, hidden: 'New activity at one of your addresses' };
    case 'end':
      return named(`alert ended${after}`, `The alert was: ${what}.`);
    case 'reminder':
      return about(`Still open${after}: ${what}`, `alert still open${after}`);
    case 'worse':
      return about(`Getting worse: ${what}`, 'getting worse');
    case 'flapping':
      return named(
        'flapping between failing and passing',
        `${what}. More messages follow only after 30 minutes without changes.`,
      );
    case 'settled':
      return alert.endedAtMs === null
        ? about(`No longer flapping, still open: ${what}`, 'alert still open')
        : named('no longer flapping, alert ended', `The alert was: ${what}.`);
    default:
      return about(what, 'new alert', others.join(''));
  }
}

/** What quiet hours or a pause have held back. */
export function summaryWords(held: readonly Alert[], nowMs: number): Words {
  const open = held.filter(({ endedAtMs }) => endedAtMs === null);
  const news = held.filter(({ members }) => members.every(({ rule }) => rule === 'address'));
  const past = held.filter((alert) => alert.endedAtMs !== null && !news.includes(alert));
  const counts = [
    ...(open.length > 0 ? [`${open.length} still open`] : []),
    ...(past.length > 0 ? [`${past.length} ended`] : []),
    ...(news.length > 0 ? [`${counted(news.length, 'message')} about your addresses`] : []),
  ];
  return {
    title: `While alerts were on hold: ${counts.join(', ')}`,
    body: [
      ...open.map((alert) => `Open since ${timeWords(alert.startedAtMs, nowMs)}: ${headline(alert)}`),
      ...past.map((alert) => `Ended: ${headline(alert)}`),
      ...news.map((alert) => headline(alert)),
    ].join('\n'),
    hidden: `While alerts were on hold: ${counts.join(', ')}`,
  };
}

/** Spans in which this computer could not see its nodes, or those that are not on it. */
export function blindWords(spans: readonly { fromMs: number; toMs: number }[], nowMs: number): Words {
  const words = spans.map(({ fromMs, toMs }) => `${timeWords(fromMs, nowMs)} to ${timeWords(toMs, nowMs)}`);
  const title = 'This computer couldn’t watch your nodes';
  return {
    title,
    body: `From ${listed(words)}, this computer was asleep or offline, so ${words.length > 1 ? 'these periods count' : 'this period counts'} as unknown, not as downtime.`,
    hidden: title,
  };
}
