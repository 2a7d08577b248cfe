import { dayMs } from '../../../../../shared/time.ts';
import {
  BarController,
  BarElement,
  Chart,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
  type ChartDataset,
} from 'chart.js';
import { cleanText } from '../../../../../shared/text.ts';
import { formatMinute, formatTime } from '../../../ui/text/format.ts';
import { notation } from '../../../ui/text/notation.svelte.ts';
import { inUnit, type MetricUnit } from '../metric-words.ts';
import type { SeriesChartData } from './series.ts';

Chart.register(BarController, BarElement, LinearScale, LineController, LineElement, PointElement, Tooltip);

/** In a form that a canvas accepts. */
export interface ChartColours {
  /** One for each series. */
  series: readonly string[];
  text: string;
  grid: string;
  surface: string;
  /** A CSS font family. */
  font: string;
}

interface ChartLook {
  data: SeriesChartData;
  kind: 'line' | 'bar';
  colours: ChartColours;
  animate: boolean;
  seriesName: (name: string) => string;
  /** Of all values; null for counts. */
  unit: MetricUnit | null;
}

/** A point with the service's exact digits. Null leaves a gap. */
interface DrawnPoint {
  x: number;
  y: number | null;
  exact: string | null;
}

/** Beyond this there are no short names for numbers. */
const largestWord = 1e15;
/** Beyond this the steps of an axis cannot be told apart from infinity, and making them would not end. */
const largestDrawn = 1e300;
/** The radius of an open circle with its line. */
const circlePx = 5;

/** Draws a time series; the returned function removes it. Only here numbers become doubles, whose error is less than a pixel. */
export function drawChart(canvas: HTMLCanvasElement, look: ChartLook): () => void {
  const { data, kind, colours, seriesName, unit } = look;
  const scale = 10 ** (unit?.decimals ?? 0);
  const times = data.series[0]?.points.map(({ ms }) => ms) ?? [];
  /** Whole days in UTC are called by their dates. */
  const withTime = times.some((ms) => ms % dayMs !== 0);
  const { compact, scientific } = notation();
  const timeText = (ms: number) =>
    withTime
      ? `${formatTime(ms, 'monthDay', 'utc')} ${formatTime(ms, 'time', 'utc')}`
      : formatTime(ms, 'date', 'utc');
  const written = (exact: string | null) =>
    exact === null ? 'no data' : `${inUnit(exact, unit)}${unit === null ? '' : ` ${unit.name}`}`;
  const datasets = data.series.map(({ name, points }, index): ChartDataset<'line' | 'bar', DrawnPoint[]> => {
    const colour = colours.series[index] ?? colours.text;
    const drawn = points.map(({ ms, exact }) => ({ x: ms, y: heightOf(exact, scale), exact }));
    // The open circle of an unfinished point at the edge is drawn whole.
    const common = {
      label: cleanText(seriesName(name), 100),
      data: drawn,
      borderColor: colour,
      clip: circlePx,
    };
    return kind === 'bar'
      ? {
          ...common,
          type: 'bar',
          stack: 'all',
          // The unfinished bucket is only an outline.
          backgroundColor: points.map(({ isUnfinished }) => (isUnfinished ? colours.surface : colour)),
          borderWidth: points.map(({ isUnfinished }) => (isUnfinished ? 1.5 : 0)),
          barPercentage: 0.9,
          categoryPercentage: 1,
        }
      : {
          ...common,
          type: 'line',
          backgroundColor: colour,
          borderWidth: 1.75,
          spanGaps: false,
          // A point between two gaps has no line, so it gets a dot; the unfinished bucket is an open circle.
          pointRadius: points.map(({ isUnfinished }, at) =>
            isUnfinished ? 3.5 : isAlone(points, at) ? 2 : 0,
          ),
          pointBackgroundColor: points.map(({ isUnfinished }) => (isUnfinished ? colours.surface : colour)),
          pointHitRadius: 8,
          segment: {
            borderDash: ({ p1DataIndex }) =>
              points[p1DataIndex]?.isUnfinished === true ? [4, 4] : undefined,
          },
        };
  });
  const font = { family: colours.font, size: 11 };
  const chart = new Chart<'line' | 'bar', DrawnPoint[]>(canvas, {
    type: kind,
    data: { datasets },
    options: {
      animation: look.animate ? { duration: 160 } : false,
      parsing: false,
      normalized: true,
      responsive: true,
      maintainAspectRatio: false,
      layout: { padding: { right: circlePx } },
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: {
          type: 'linear',
          offset: kind === 'bar',
          ...(times.length > 1 ? { min: times[0] ?? 0, max: times.at(-1) ?? 0 } : {}),
          border: { color: colours.grid },
          grid: { display: false },
          ticks: {
            color: colours.text,
            font,
            maxRotation: 0,
            autoSkip: true,
            callback: (value) => timeText(Number(value)),
          },
          afterBuildTicks: (axis) => {
            axis.ticks = spread(times, Math.max(2, Math.floor(axis.width / 110))).map((value) => ({ value }));
          },
        },
        y: {
          stacked: kind === 'bar',
          beginAtZero: kind === 'bar',
          border: { display: false },
          title: { display: unit !== null, text: unit?.name ?? '', color: colours.text, font },
          grid: { color: colours.grid },
          ticks: {
            color: colours.text,
            font,
            maxTicksLimit: 6,
            callback: (value) =>
              (Math.abs(Number(value)) < largestWord ? compact : scientific).format(Number(value)),
          },
        },
      },
      plugins: {
        tooltip: {
          callbacks: {
            title: (items) => {
              const ms = items[0]?.parsed.x ?? 0;
              return `${withTime ? formatMinute(ms, 'utc') : formatTime(ms, 'date', 'utc')} UTC${data.unfinishedMs.includes(ms) ? ' (still in progress)' : ''}`;
            },
            label: (item) => {
              const point = data.series[item.datasetIndex]?.points[item.dataIndex];
              const others = (point?.others ?? []).map((value) => written(value)).join(', ');
              const rest = others === '' ? '' : ` (other values: ${others})`;
              return ` ${item.dataset.label ?? ''}: ${written(point?.exact ?? null)}${rest}`;
            },
          },
        },
      },
    },
  });
  return () => chart.destroy();
}

/** Null for what cannot be drawn. */
export function heightOf(exact: string | null, scale: number): number | null {
  const height = exact === null ? NaN : Number(exact) / scale;
  return Math.abs(height) <= largestDrawn ? height : null;
}

function isAlone(points: SeriesChartData['series'][number]['points'], at: number): boolean {
  return (points[at - 1]?.exact ?? null) === null && (points[at + 1]?.exact ?? null) === null;
}

/** At most `count` of the times, evenly spread, including the first. */
function spread(times: readonly number[], count: number): number[] {
  const step = Math.max(1, Math.ceil(times.length / count));
  return times.filter((_, index) => index % step === 0);
}
