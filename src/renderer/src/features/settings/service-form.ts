import { isLoopback } from '../../../../shared/loopback.ts';
import {
  avalancheService,
  parseServiceUrl,
  sampleServiceProfile,
  serviceProfileSchema,
  specificationKeyHeader,
  type ServiceProfile,
} from '../../../../shared/settings.ts';

export type Preset = ServiceProfile['preset'];
export type ServiceField = 'dataUrl' | 'metricsUrl' | 'keyHeader';

export const presetChoices: readonly { preset: Preset; title: string; words: string }[] = [
  { preset: 'avalanche', title: 'Avalanche public service', words: 'Mainnet and Fuji, by Ava Labs' },
  {
    preset: 'sample',
    title: 'Sample service',
    words: 'Sample data on this computer, for trying out the app',
  },
  { preset: 'custom', title: 'Custom', words: 'Any service with the same API' },
];

/** The form after a preset was chosen: the preset's values, or for `custom` the current ones to edit. */
export function profileOf(preset: Preset, current: ServiceProfile): ServiceProfile {
  if (preset === current.preset) return current;
  if (preset === 'avalanche') return avalancheService;
  if (preset === 'sample') return sampleServiceProfile;
  return { preset, dataUrl: '', metricsUrl: '', keyHeader: specificationKeyHeader };
}

/** As it would be stored: URLs in one spelling each, that of the current profile where it has the same; header name in lower case. */
export function cleanProfile(draft: ServiceProfile, current: ServiceProfile): ServiceProfile {
  const kept = [current.dataUrl, current.metricsUrl];
  const url = (text: string) => {
    const href = parseServiceUrl(text.trim())?.href ?? text.trim();
    return kept.find((one) => parseServiceUrl(one)?.href === href) ?? href;
  };
  return {
    preset: draft.preset,
    dataUrl: url(draft.dataUrl),
    metricsUrl: url(draft.metricsUrl),
    keyHeader: draft.keyHeader.trim().toLowerCase(),
  };
}

const urlProblem = 'Enter an http:// or https:// URL that has no spaces, user name, “?” or “#”.';

/** `problem` is the text for an invalid value. */
export const serviceFields: readonly { key: ServiceField; label: string; hint: string; problem: string }[] = [
  {
    key: 'dataUrl',
    label: 'Chain data URL',
    hint: 'Addresses, transactions, blocks.',
    problem: urlProblem,
  },
  {
    key: 'metricsUrl',
    label: 'Chain metrics URL',
    hint: 'Staking, chain and cross-chain metrics.',
    problem: urlProblem,
  },
  {
    key: 'keyHeader',
    label: 'API key header',
    hint: 'The request header that carries the API key. The key is sent to both URLs above.',
    problem: 'A header name can contain letters, digits and hyphens, but no spaces.',
  },
];

/** What is wrong with each field, by the same rule as in the main process. */
export function serviceProblems(profile: ServiceProfile): Partial<Record<ServiceField, string>> {
  const wrong = serviceProfileSchema.safeParse(profile).error?.issues.map(({ path }) => path[0]) ?? [];
  return Object.fromEntries(
    serviceFields
      .filter(({ key }) => wrong.includes(key))
      .map(({ key, problem }) => [key, profile[key] === '' ? 'Required.' : problem]),
  );
}

/**
 * The service's origins with which answers and the key would be exchanged unencrypted: `http:` and
 * not this computer. Empty for invalid URLs.
 */
export function openLines({ dataUrl, metricsUrl }: Pick<ServiceProfile, 'dataUrl' | 'metricsUrl'>): string[] {
  const origins = [dataUrl, metricsUrl].flatMap((text) => {
    if (parseServiceUrl(text) === null) return [];
    const { protocol, hostname, origin } = new URL(text);
    return protocol === 'http:' && !isLoopback(hostname) ? [origin] : [];
  });
  return [...new Set(origins)];
}
