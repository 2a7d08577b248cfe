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

export interface PresetChoice {
  preset: Preset;
  title: string;
  words: string;
}

export const presetChoices: readonly PresetChoice[] = [
  { preset: 'avalanche', title: 'Avalanche public service', words: 'Mainnet and Fuji, by Ava Labs' },
  { preset: 'sample', title: 'Sample service', words: 'Made-up data from this computer, for a look around' },
  { preset: 'custom', title: 'Custom', words: 'Any service with the same interface' },
];

/** What the form holds after a preset was chosen: its own values, or for `custom` those that are there to be changed. */
export function profileOf(preset: Preset, current: ServiceProfile): ServiceProfile {
  if (preset === current.preset) return current;
  if (preset === 'avalanche') return avalancheService;
  if (preset === 'sample') return sampleServiceProfile;
  return {
    preset,
    dataUrl: '',
    metricsUrl: '',
    keyHeader: specificationKeyHeader,
  };
}

/** As it would be stored: trimmed, no slash at the end, header name in lower case. */
export function cleanProfile(draft: ServiceProfile): ServiceProfile {
  const url = (text: string) => text.trim().replace(/\/+$/, '');
  return {
    preset: draft.preset,
    dataUrl: url(draft.dataUrl),
    metricsUrl: url(draft.metricsUrl),
    keyHeader: draft.keyHeader.trim().toLowerCase(),
  };
}

const fieldWords: Readonly<Record<ServiceField, string>> = {
  dataUrl: 'It has to be an http:// or https:// URL without user name, “?” and “#”.',
  metricsUrl: 'It has to be an http:// or https:// URL without user name, “?” and “#”.',
  keyHeader: 'A header name has letters, digits and dashes, and no spaces.',
};

/** What is wrong with each field, by the rule that the main process will apply too. */
export function serviceProblems(profile: ServiceProfile): Partial<Record<ServiceField, string>> {
  const parsed = serviceProfileSchema.safeParse(profile);
  if (parsed.success) return {};
  const problems: Partial<Record<ServiceField, string>> = {};
  for (const issue of parsed.error.issues) {
    const field = issue.path[0];
    if (field === 'dataUrl' || field === 'metricsUrl' || field === 'keyHeader') {
      problems[field] = profile[field] === '' ? 'This is needed.' : fieldWords[field];
    }
  }
  return problems;
}

/**
 * The service's addresses, as `scheme://host:port`, that answers and the key would travel to unencrypted: `http:` and
 * not this computer. Empty for addresses that are none.
 */
export function openLines({ dataUrl, metricsUrl }: Pick<ServiceProfile, 'dataUrl' | 'metricsUrl'>): string[] {
  const origins = [dataUrl, metricsUrl].flatMap((text) => {
    if (parseServiceUrl(text) === null) return [];
    const { protocol, hostname, origin } = new URL(text);
    return protocol === 'http:' && !isLoopback(hostname) ? [origin] : [];
  });
  return [...new Set(origins)];
}
