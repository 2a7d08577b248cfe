import type { Removal } from '../removals.ts';
import type { SettingsService } from '../settings/settings-service.ts';

/** The removal with the choices about its alerts. `isBack`: it was added anew, so nothing is removed. */
export function withChoices(
  removal: Removal,
  { id, settings, isBack }: { id: string; settings: SettingsService; isBack: () => boolean },
): Removal {
  return {
    ...removal,
    finish: async () => {
      await removal.finish();
      const { alerts } = settings.current();
      const isOther = (one: { nodeId: string } | { address: string }) =>
        ('address' in one ? one.address : one.nodeId) !== id;
      const { addresses, ofNodes, planned } = alerts;
      if (isBack() || [addresses, ofNodes, planned].every((chosen) => chosen.every(isOther))) return;
      const kept = { addresses: addresses.filter(isOther), ofNodes: ofNodes.filter(isOther) };
      settings.tryUpdate({ alerts: { ...alerts, ...kept, planned: planned.filter(isOther) } });
    },
  };
}
