import type { EndpointId } from '../registry.ts';

const sender = { name: 'Alice', symbol: 'ALC', decimals: 18, logoUri: 'https://e.x/a.png', address: '0xaa' };
const receiver = { address: '0xbb' };

const nativeTransaction = {
  blockNumber: '9007199254740993',
  blockTimestamp: 1_700_000_000,
  blockHash: `0x${'b'.repeat(64)}`,
  chainId: '43114',
  blockIndex: 3,
  txHash: `0x${'c'.repeat(64)}`,
  txStatus: '1',
  txType: 2,
  gasLimit: '210000',
  gasUsed: '52311',
  gasPrice: '25000000000',
  nonce: '17',
  from: sender,
  to: receiver,
  method: { callType: 'CONTRACT_CALL', methodHash: '0xa9059cbb', methodName: 'transfer(address,uint256)' },
  value: '123456789012345678901234567890',
};

const inBlock = { blockNumber: '5', blockTimestamp: 1_700_000_000, blockHash: '0xb', txHash: '0xc' };

const erc20Transfer = {
  from: sender,
  to: receiver,
  logIndex: 1,
  value: '1000000000000000000000',
  erc20Token: {
    address: '0xcc',
    name: 'Token',
    symbol: 'TOK',
    decimals: 6,
    logoUri: 'https://e.x/t.png',
    ercType: 'ERC-20',
    price: { currencyCode: 'usd', value: 1.25 },
  },
};

const metadata = {
  indexStatus: 'indexed',
  metadataLastUpdatedTimestamp: 1_700_000_000,
  name: 'Thing',
  symbol: 'THG',
  imageUri: 'ipfs://x',
  description: 'A thing',
  animationUri: '',
  externalUrl: '',
  background: '',
};

const erc721Transfer = {
  from: sender,
  to: receiver,
  logIndex: 2,
  erc721Token: {
    address: '0xdd',
    name: 'Things',
    symbol: 'THG',
    ercType: 'ERC-721',
    tokenId: '340282366920938463463374607431768211456',
    tokenUri: 'ipfs://y',
    metadata: { ...metadata, attributes: '[]' },
    ownerAddress: '0xbb',
  },
};

const erc1155Transfer = {
  from: sender,
  to: receiver,
  logIndex: 3,
  value: '5',
  erc1155Token: {
    address: '0xee',
    ercType: 'ERC-1155',
    tokenId: '7',
    tokenUri: 'ipfs://z',
    metadata: { ...metadata, decimals: 0, properties: '{}' },
  },
};

const internalTransaction = {
  from: sender,
  to: receiver,
  internalTxType: 'CALL',
  value: '1',
  isReverted: false,
  gasUsed: '21000',
  gasLimit: '30000',
};

const subTransactions = {
  erc20Transfers: [erc20Transfer],
  erc721Transfers: [erc721Transfer],
  erc1155Transfers: [erc1155Transfer],
  internalTransactions: [internalTransaction],
};

const networkToken = { name: 'Avalanche', symbol: 'AVAX', decimals: 18, logoUri: '', description: 'A token' };

const transactionDetail = {
  ...subTransactions,
  nativeTransaction: {
    ...nativeTransaction,
    input: '0xa9059cbb',
    baseFeePerGas: '25000000000',
    maxFeePerGas: '30000000000',
    maxPriorityFeePerGas: '1500000000',
  },
  networkTokenDetails: {
    networkToken,
    currentPrice: { currencyCode: 'usd', value: '33.123456789012345678' },
    historicalPrice: { currencyCode: 'usd', value: '30' },
  },
  crosschainMessageInfo: {
    crosschainMessageId: 'message',
    direction: 'SOURCE_TRANSACTION',
    sourceChainId: '43114',
    destinationChainId: '8021',
  },
};

const asset = { assetId: 'asset', imageUri: 'https://e.x/i.png' };

const series = {
  nextPageToken: 'token',
  results: [
    { timestamp: 1_700_000_000, value: '9007199254740993000' },
    { timestamp: 1_699_913_600, value: 5.25 },
  ],
};

/** A response with all fields of the specification for each endpoint; the compiler reports a missing one. */
export const sampleBodies: Readonly<Record<EndpointId, Readonly<Record<string, unknown>>>> = {
  'address-transactions': {
    nextPageToken: 'token',
    transactions: [
      { nativeTransaction, ...subTransactions },
      { nativeTransaction: { ...nativeTransaction, txHash: '0xc2' } },
    ],
  },
  'address-erc20-transfers': { nextPageToken: '', transactions: [{ ...inBlock, ...erc20Transfer }] },
  'chain-transactions': { nextPageToken: 'token', transactions: [nativeTransaction, nativeTransaction] },
  transaction: transactionDetail,
  'contract-deployment': transactionDetail,
  'address-erc1155-transfers': { nextPageToken: '', transactions: [{ ...inBlock, ...erc1155Transfer }] },
  'address-internal-transactions': {
    nextPageToken: '',
    transactions: [{ ...inBlock, ...internalTransaction }],
  },
  'address-native-transactions': { nextPageToken: '', transactions: [nativeTransaction] },
  'token-transfers': {
    nextPageToken: 'token',
    transfers: [
      { ...inBlock, ...erc20Transfer },
      { ...inBlock, ...erc721Transfer },
      { ...inBlock, ...erc1155Transfer },
    ],
  },
  'block-transactions': { nextPageToken: '', transactions: [nativeTransaction] },
  'deployed-contracts': {
    nextPageToken: 'token',
    contracts: [
      {
        name: 'Token',
        description: 'A token',
        officialSite: 'https://e.x',
        email: 'a@e.x',
        color: '#ff0000',
        address: '0xcc',
        symbol: 'TOK',
        decimals: 6,
        logoAsset: asset,
        bannerAsset: asset,
        resourceLinks: [{ type: 'Blog', url: 'https://e.x/blog' }],
        tags: ['token'],
        deploymentDetails: { txHash: '0xc', deployerAddress: '0xaa', deployerContractAddress: '0xbb' },
        ercType: 'ERC-20',
      },
      { address: '0xdd', ercType: 'UNKNOWN' },
    ],
  },
  'latest-transactions': { nextPageToken: 'token', transactions: [nativeTransaction] },
  'staking-metrics': series,
  'validator-metrics': series,
  'icm-timeseries': {
    nextPageToken: 'token',
    results: [
      {
        timestamp: 1_700_000_000,
        value: 17,
        srcBlockchainId: '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
        destBlockchainId: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
      },
      { timestamp: 1_700_000_000, value: '0' },
    ],
  },
  'rolling-window-metrics': {
    result: {
      lastHour: 0,
      lastDay: 12,
      lastWeek: 12.5,
      lastMonth: '123456789012345678901234567890',
      last90Days: 1,
      lastYear: 2,
      allTime: 3,
    },
  },
  'address-chains': {
    indexedChains: [
      {
        chainId: '43114',
        chainName: 'C-Chain',
        description: 'The C-Chain',
        platformChainId: '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
        subnetId: '11111111111111111111111111111111LpoYY',
        vmId: 'mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6',
        vmName: 'EVM',
        status: 'OK',
        explorerUrl: 'https://explorer.example.com',
        rpcUrl: 'https://rpc.example.com',
        wsUrl: 'wss://rpc.example.com',
        chainLogoUri: 'https://e.x/c.png',
        isTestnet: false,
        private: false,
        utilityAddresses: { multicall: '0xff' },
        networkToken,
        enabledFeatures: ['nftIndexing'],
      },
    ],
    unindexedChains: ['99999'],
  },
};
