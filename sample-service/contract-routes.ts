import { ServiceError } from './errors.ts';
import { chainOf, placesWhere, type Handler, type Lists } from './lists.ts';
import { mix } from './world/random.ts';
import type { Transaction } from './world/transaction.ts';
import type { World } from './world/world.ts';

/** Endpoints about contracts: deployment (2), transfers of a token (5), what an account deployed (10). */
export function contractHandlers(world: World, lists: Lists): Readonly<Record<number, Handler>> {
  const { records } = world;

  /** A deployed contract as endpoint 10 shows it: detailed for those of the catalogue, brief for the rest. */
  function record(transaction: Transaction, place: number): object {
    const { chain, sender, deed } = transaction;
    const created = deed.created[place] ?? '';
    const deploymentDetails = {
      txHash: records.hash(transaction),
      deployerAddress: records.spell(sender),
      ...(deed.to === null ? {} : { deployerContractAddress: records.spell(deed.to) }),
    };
    const address = records.spell(created);
    const contract = world.contractAt(created);
    if (contract === undefined) return { address, deploymentDetails, ercType: 'UNKNOWN' };
    const { name, index, role, ercType, symbol, decimals } = contract;
    const slug = `${chain.chainId}-${index}`;
    const asset = (kind: string) => ({
      assetId: `${kind}-${slug}`,
      imageUri: `https://assets.sample.example/${kind}/${slug}.png`,
    });
    const colour = mix(world.seed, index, 0xc0, chain.index) & 0xffffff;
    return {
      ...(name === undefined
        ? {}
        : {
            name,
            description: `${name} on ${chain.name}. Sample data.`,
            officialSite: `https://${slug}.sample.example`,
            email: `team@${slug}.sample.example`,
            color: `#${colour.toString(16).padStart(6, '0')}`,
            logoAsset: asset('logo'),
            bannerAsset: asset('banner'),
            resourceLinks: [
              { type: 'Blog', url: `https://blog.${slug}.sample.example` },
              { type: 'Github', url: `https://code.${slug}.sample.example` },
              { type: 'Documentation', url: `https://docs.${slug}.sample.example` },
            ],
            tags: [role, 'sample'],
          }),
      address,
      deploymentDetails,
      ercType,
      ...(ercType === 'UNKNOWN' || symbol === undefined ? {} : { symbol }),
      ...(decimals === undefined ? {} : { decimals }),
    };
  }

  return {
    2: (params) => {
      const transaction = world.findDeployment(chainOf(world, params), params['address'] ?? '');
      if (transaction === null) throw new ServiceError(404, 'Contract not found');
      return records.detail(transaction, params['currency'] ?? 'usd');
    },

    5: (params, endpoint) => {
      const chain = chainOf(world, params);
      const token = world.contractAt(params['address'] ?? '');
      if (token === undefined || token.ercType === 'UNKNOWN' || token.chain !== chain) {
        throw new ServiceError(404, 'Token not found');
      }
      return lists.transactions(params, endpoint, {
        chains: [chain],
        partsOf: ({ deed }) => placesWhere(deed.moves, (move) => move.token === token),
        write: (transaction, place) => ({
          ...records.block(transaction),
          txHash: records.hash(transaction),
          ...records.transfer(transaction, place),
        }),
      });
    },

    10: (params, endpoint) => {
      const address = params['address']?.toLowerCase() ?? '';
      return lists.transactions(params, endpoint, {
        chains: [chainOf(world, params)],
        address,
        partsOf: ({ sender, deed }) => placesWhere(deed.created, () => sender === address),
        write: record,
      });
    },
  };
}
