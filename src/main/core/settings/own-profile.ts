import type { ServiceProfile } from '../../../shared/settings.ts';
import type { SettingsService } from './settings-service.ts';

/** A service as the settings have it now: its other addresses may change, but never which service it is. */
export function ownProfile(
  settings: Pick<SettingsService, 'current'>,
  opened: ServiceProfile,
): () => ServiceProfile {
  let own = opened;
  return () => {
    const { service } = settings.current();
    if (service.dataUrl === own.dataUrl) own = service;
    return own;
  };
}
