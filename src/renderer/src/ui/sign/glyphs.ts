import type { Tone } from '../text/tone.ts';

interface GlyphShape {
  /** Width and height of the paths' coordinates. */
  box: number;
  /** The class of its colour, also for the text beside it. */
  colour: string;
  line?: string;
  fill?: string;
  /** Drawn over the filled part in the background colour. */
  cut?: string;
  stroke?: number;
  dashes?: string;
  caps?: 'round';
  /** It turns. */
  turns?: true;
}

type Shape = Omit<GlyphShape, 'box' | 'colour'>;

const state = (colour: string, shape: Shape): GlyphShape => ({ box: 14, colour, ...shape });
const kind = (line: string, colour = 'faint'): GlyphShape => ({ box: 16, colour, line, caps: 'round' });
const mark = (colour: string, line: string): GlyphShape =>
  state(colour, { line, stroke: 1.4, caps: 'round' });
const view = (colour: string, shape: Shape): GlyphShape => ({ box: 12, colour, stroke: 1.3, ...shape });

const circle = 'M7 1.25A5.75 5.75 0 1 1 7 12.75 5.75 5.75 0 1 1 7 1.25Z';
const eye = 'M2 7C3.5 4.5 5 3.5 7 3.5S10.5 4.5 12 7C10.5 9.5 9 10.5 7 10.5S3.5 9.5 2 7Z';
const sheet =
  'M3.75 1.75H8.25A2 2 0 0 1 10.25 3.75V8.25A2 2 0 0 1 8.25 10.25H3.75A2 2 0 0 1 1.75 8.25V3.75A2 2 0 0 1 3.75 1.75Z';

const states: Readonly<Record<Tone, GlyphShape>> = {
  pass: state('text-pass', {
    fill: 'M7 0.5A6.5 6.5 0 1 1 7 13.5 6.5 6.5 0 1 1 7 0.5Z',
    cut: 'M4 7.3 6.1 9.4 10 5.1',
  }),
  fail: state('text-fail', { fill: 'M7 0.4 13.6 7 7 13.6 0.4 7Z', cut: 'M7 3.9V7.6M7 9.6V9.7' }),
  gone: state('text-gone', {
    fill: 'M4.3 0.5H9.7L13.5 4.3V9.7L9.7 13.5H4.3L0.5 9.7V4.3Z',
    cut: 'M4.7 4.7 9.3 9.3M9.3 4.7 4.7 9.3',
  }),
  warn: state('text-warn', { line: circle, fill: 'M7 1.25A5.75 5.75 0 0 1 7 12.75Z' }),
  running: state('text-accent', { line: 'M7 1.5A5.5 5.5 0 1 1 1.5 7', stroke: 2, turns: true }),
  stalled: state('text-warn', {
    line: 'M3.75 1.25H10.25A2.5 2.5 0 0 1 12.75 3.75V10.25A2.5 2.5 0 0 1 10.25 12.75H3.75A2.5 2.5 0 0 1 1.25 10.25V3.75A2.5 2.5 0 0 1 3.75 1.25ZM4 7H10',
  }),
  paused: state('text-idle', { line: 'M4.5 2.5V11.5M9.5 2.5V11.5', stroke: 2.4 }),
  idle: state('text-idle', { line: circle, dashes: '2.6 1.9' }),
  none: state('text-idle', { line: 'M4 7H10' }),
};

/** The signs drawn here instead of by the icon library, because a list shows hundreds of them at once. */
export const glyphs = {
  ...states,
  // Kinds of transactions.
  in: kind('M11.5 4.5 4.5 11.5M4.5 6V11.5H10', 'text-pass'),
  out: kind('M4.5 11.5 11.5 4.5M6 4.5H11.5V10'),
  exchange: kind('M3 6H13L10.2 3.2M13 10H3L5.8 12.8'),
  call: kind(
    'M6 3.5C4.5 3.5 4.8 7 4.6 7.4 4.5 7.8 3.5 8 3.5 8 3.5 8 4.5 8.2 4.6 8.6 4.8 9 4.5 12.5 6 12.5M10 3.5C11.5 3.5 11.2 7 11.4 7.4 11.5 7.8 12.5 8 12.5 8 12.5 8 11.5 8.2 11.4 8.6 11.2 9 11.5 12.5 10 12.5',
  ),
  create: kind('M8 3.5V12.5M3.5 8H12.5'),
  self: kind('M12.5 8A4.5 4.5 0 1 1 10.8 4.5M12.5 3V5.5H10'),
  // Remarks about it.
  'look-alike': mark('text-fail', 'M7 1.2 12.8 7 7 12.8 1.2 7ZM7 4V7.6M7 9.6V9.7'),
  hidden: mark('faint', `${eye}M2.5 11.5 11.5 2.5`),
  shown: mark('faint', `${eye}M7 6.2V7.8`),
  integrity: mark('text-warn', 'M7 1.8 12.6 11.8H1.4ZM7 5.4V8.2M7 9.8V9.9'),
  reorganised: mark('text-warn', 'M3 2V7.5C3 10 5 10 7 10H11M8.8 7.8 11 10 8.8 12.2M3 5H11'),
  missing: mark('text-fail', 'M3 3 11 11M11 3 3 11'),
  // How much of it is stored.
  complete: view('text-idle', {
    fill: 'M3.5 1H8.5A2.5 2.5 0 0 1 11 3.5V8.5A2.5 2.5 0 0 1 8.5 11H3.5A2.5 2.5 0 0 1 1 8.5V3.5A2.5 2.5 0 0 1 3.5 1Z',
  }),
  partial: view('text-idle', {
    line: sheet,
    fill: 'M1.75 6H10.25V8.25A2 2 0 0 1 8.25 10.25H3.75A2 2 0 0 1 1.75 8.25Z',
  }),
  unread: view('text-warn', { line: `${sheet}M6 3.5V6.6M6 8.4V8.5` }),
} satisfies Record<string, GlyphShape>;

export type GlyphName = keyof typeof glyphs;

export const glyphOf = (name: GlyphName): GlyphShape => glyphs[name];
