import { formatDurationNs } from '../../../../shared/health/go-duration.ts';
import { incidentTitle } from '../../../../shared/health/incident-title.ts';
import { checkName, listed, withNodeNames } from '../../../../shared/health/names.ts';
import { noAnswer } from '../../../../shared/health/no-answer.ts';
import { cleanText, counted } from '../../../../shared/text.ts';
import { utcText } from '../../../../shared/time.ts';
import type {
  IncidentPart,
  KnownFrom,
  KnownSums,
  Strip,
  StripCell,
} from '../../../../shared/health/types.ts';
import { uptimePpm } from '../../../../shared/health/uptime.ts';
import { checkStateWords, knownWords } from '../../../../shared/health/words.ts';
import type { PostMortem } from './post-mortem-facts.ts';

/**
 * Renders an incident as a self-contained HTML page: no scripts, no resources, all texts escaped. Times are in UTC.
 * With `redact`, names given by people and whatever identifies a machine, a node or a chain are left out.
 */
export function postMortemHtml(facts: PostMortem): string {
  const page = sectionsOf(facts);
  const { incident, nodeName, nodeNames } = facts;
  const title = page.text(incidentTitle(incident, { node: nodeName, nodes: nodeNames }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<p>Post-mortem${facts.redact !== null ? ', names and addresses left out' : ''}</p>
<h1>${title}</h1>
</header>
${page.summary()}
${page.notes()}
${page.timeline()}
${page.strips()}
${page.worst()}
${page.changes()}
${page.uptime()}
<footer>Written by Watchkeeper at ${time(facts.writtenAtMs)}. All times are UTC.</footer>
</main>
</body>
</html>
`;
}

function sectionsOf(facts: PostMortem) {
  const { incident, fromMs, toMs, untilMs } = facts;
  const clean = facts.redact ?? ((raw) => withNodeNames(raw, facts.nodeNames, true));
  return { text, summary, notes, timeline, strips, worst, changes, uptime };

  /** Escapes an untrusted text, shortened to one line. */
  function text(raw: string): string {
    return escapeHtml(cleanText(clean(raw), longestText)) || '(no text)';
  }

  function summary(): string {
    const { startedAtMs, startKnownFrom, endedAtMs, endKnownFrom, parts, gone } = incident;
    const failures = parts.reduce((sum, part) => sum + part.failures, 0);
    const isSeen = endedAtMs === null || endKnownFrom === 'seen';
    const rows: [string, string][] = [
      ['Node', text(facts.nodeName)],
      ['Started', `${time(startedAtMs)} (${knownWords[startKnownFrom]})`],
      endedAtMs === null
        ? ['Ended', `not as of ${time(untilMs)}`]
        : ['Ended', `${time(endedAtMs)} (${knownWords[endKnownFrom ?? 'seen']})`],
      ['Duration', `${isSeen ? '' : 'at most '}${duration(untilMs - startedAtMs)}`],
      [
        'Failed checks',
        [...new Set(parts.map(({ check }) => check))].map((check) => text(checkName(check))).join(', '),
      ],
      ['Failed runs', String(failures)],
      ['First error', incident.firstError === null ? 'none' : text(incident.firstError)],
    ];
    if (gone.length > 0) rows.push(['Unreachable nodes', text(listed(gone, 10))]);
    return `<dl>${rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>`;
  }

  function notes(): string {
    if (incident.note === '') return '';
    const paragraphs = incident.note
      .split('\n')
      .map((line) => `<p>${line.trim() === '' ? '' : text(line)}</p>`);
    return section('Notes', paragraphs.join(''));
  }

  function timeline(): string {
    const events = incident.parts.flatMap(eventsOf);
    events.sort((a, b) => a.atMs - b.atMs);
    const rows = events.map(({ cells }) => cells);
    return section('Timeline', table(['Time', 'Event', 'Source'], rows));
  }

  function eventsOf(part: IncidentPart): { atMs: number; cells: string[] }[] {
    const isSilence = part.check === noAnswer;
    const check = isSilence ? 'The node' : text(checkName(part.check));
    const error = part.firstError === null ? '' : `: ${text(part.firstError)}`;
    const event = (atMs: number, what: string, knownFrom: KnownFrom) => ({
      atMs,
      cells: [time(atMs), `${check} ${what}`, knownWords[knownFrom]],
    });
    const { startedAtMs, startKnownFrom, endedAtMs, endKnownFrom, failures } = part;
    const began = event(
      startedAtMs,
      `${isSilence ? 'didn’t respond' : 'started failing'}${error}`,
      startKnownFrom,
    );
    if (endedAtMs === null) return [began];
    const failed = counted(failures, isSilence ? 'unanswered poll' : 'failed run');
    const passed = endKnownFrom === 'unreported' ? 'was no longer reported' : 'passed again';
    const ended = `${isSilence ? 'responded again' : passed} after ${duration(endedAtMs - startedAtMs)}, ${failed}`;
    return [began, event(endedAtMs, ended, endKnownFrom ?? 'seen')];
  }

  function strips(): string {
    const rows = facts.strips.map(figure).join('');
    const states = (['pass', 'fail', 'unreachable', 'stalled', 'pending', 'unknown', 'none'] as const).map(
      (state) =>
        `<li><svg viewBox="0 0 10 24" aria-hidden="true">${cellMark(state, 0, 10)}</svg>${checkStateWords[state]}</li>`,
    );
    return section(
      'Before and after',
      `<p>From ${time(fromMs)} to ${time(toMs)}.</p>${rows}<ul class="legend">${states.join('')}</ul>`,
    );
  }

  function figure({ check, cells }: Strip): string {
    const name = check === null ? 'The node' : text(checkName(check));
    const failed = cells.filter(({ state }) => state === 'fail' || state === 'unreachable');
    const [first] = failed;
    const last = failed.at(-1);
    const words =
      first === undefined || last === undefined
        ? 'no failures recorded'
        : `${failed.some(({ state }) => state === 'unreachable') ? 'failing or unreachable' : 'failing'} in ${failed.length} of ${cells.length} periods, from ${timeText(first.fromMs)} to ${timeText(last.toMs)}`;
    const marks = cells.map(({ state }, index) => cellMark(state, index * 10, 9)).join('');
    return `<figure><figcaption>${name}</figcaption><svg viewBox="0 0 ${cells.length * 10} 24" preserveAspectRatio="none" role="img" aria-label="${name}: ${words}">${marks}</svg></figure>`;
  }

  function worst(): string {
    if (incident.worst.length === 0) return '';
    const rows = incident.worst.map(({ check, label, value }) => [checkName(check), label, value].map(text));
    return section('Worst values', table(['Check', 'Value', 'Worst value or range'], rows));
  }

  function changes(): string {
    const { furtherChanges } = facts;
    const title = 'What changed in the reports';
    if (facts.changes.length === 0) return section(title, '<p>Nothing changed between reports.</p>');
    const rows = facts.changes.flatMap(({ atMs, differences }) =>
      differences.map(({ check, field, before, after }) => [
        time(atMs),
        check === '' ? 'The node' : text(checkName(check)),
        field
          .split('.')
          .map((key) => text(key))
          .join('.'),
        before === null ? '(absent)' : text(before),
        after === null ? '(absent)' : text(after),
      ]),
    );
    const more = furtherChanges === 0 ? '' : `<p>And ${counted(furtherChanges, 'more change')}.</p>`;
    return section(title, table(['Report from', 'Check', 'Field', 'Before', 'After'], rows) + more);
  }

  function uptime(): string {
    const rows = facts.uptimes.map(({ check, runs, failedRuns, ...sums }) => [
      check === null ? 'The node' : text(checkName(check)),
      percent(sums),
      duration(sums.upMs),
      duration(sums.downMs),
      duration(sums.unreachableMs),
      duration(sums.unknownMs),
      String(runs),
      String(failedRuns),
    ]);
    const states = ['Uptime', 'Up', 'Down', 'Unreachable', 'Unknown'];
    const content = table(['Node or check', ...states, 'Runs', 'Failed runs'], rows);
    return section(
      'Uptime',
      `<p>From ${time(fromMs)} to ${time(toMs)}. Uptime is the share of known time when the node or check was up.</p>${content}`,
    );
  }
}

const longestText = 4_000;

const section = (title: string, content: string): string => `<section><h2>${title}</h2>${content}</section>`;

/** Cells are already HTML. */
function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
  return `<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** States differ in height as well as colour, to be told apart without colour vision. */
const heights: Readonly<Record<StripCell['state'], number>> = {
  unreachable: 24,
  fail: 22,
  stalled: 18,
  unknown: 12,
  pending: 8,
  pass: 16,
  none: 2,
};

function cellMark(state: StripCell['state'], x: number, width: number): string {
  const height = heights[state];
  return `<rect class="${state}" x="${x}" y="${24 - height}" width="${width}" height="${height}"/>`;
}

/** Rounded down, so that uptime is never overstated. */
function percent(sums: KnownSums): string {
  const ppm = uptimePpm(sums);
  if (ppm !== null) return `${(ppm / 1e4).toFixed(4)}%`;
  const knownMs = sums.upMs + sums.downMs + sums.unreachableMs;
  return knownMs === 0 ? 'unknown' : `only ${duration(knownMs)} of data`;
}

const duration = (ms: number): string => formatDurationNs(BigInt(Math.max(0, Math.round(ms))) * 1_000_000n);

const time = (ms: number): string => `<time>${timeText(ms)}</time>`;

/** `2026-01-31 14:05:09`; a time beyond the range of `Date` stays a number. */
const timeText = (ms: number): string => (Math.abs(ms) <= 8.64e15 ? utcText(ms, 'second') : String(ms));

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const style = `
:root{color-scheme:light dark;--canvas:light-dark(#fff,#0f1115);--line:light-dark(#e3e6eb,#2b313c);--text:light-dark(#15181e,#e9ebf0);--quiet:light-dark(#4a5160,#b1b8c5);--pass:light-dark(#3f9d70,#3d9a6c);--fail:light-dark(#d0392e,#f0695e);--gone:light-dark(#a8209a,#ee7fdc);--warn:light-dark(#b57a14,#c9942f);--idle:light-dark(#868e9d,#6d7686)}
*{box-sizing:border-box}
body{margin:0;background:var(--canvas);color:var(--text);font:14px/1.5 system-ui,sans-serif}
main{max-width:960px;margin:0 auto;padding:32px 24px}
h1{margin:0 0 16px;font-size:24px;overflow-wrap:anywhere}
h2{margin:32px 0 8px;font-size:16px}
header p,footer,dt,th,figcaption{color:var(--quiet)}
header p,p{margin:0 0 8px}
dl{margin:0;border-top:1px solid var(--line)}
dl div{display:grid;grid-template-columns:160px 1fr;gap:16px;padding:6px 0;border-bottom:1px solid var(--line)}
dd{margin:0;overflow-wrap:anywhere}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:6px 16px 6px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:break-word;max-width:30em}
th{font-weight:600}
td:first-child{white-space:nowrap}
figure{margin:0 0 12px}
figure svg{display:block;width:100%;height:24px}
.legend{display:flex;flex-wrap:wrap;gap:16px;margin:0;padding:0;list-style:none;color:var(--quiet)}
.legend svg{width:10px;height:24px;margin-right:6px;vertical-align:bottom}
.pass{fill:var(--pass)}.fail{fill:var(--fail)}.unreachable{fill:var(--gone)}.stalled,.pending{fill:var(--warn)}.unknown,.none{fill:var(--idle)}
footer{margin-top:32px}
@media print{body{font-size:11px}}
`.replace(/\n/g, '');
