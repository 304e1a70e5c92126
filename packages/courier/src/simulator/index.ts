import { generateKeyPairSync } from 'node:crypto';
import { type Clock, systemClock } from '../clock.ts';
import { ApnsRules, type ApnsRulesOptions } from './apns-rules.ts';
import { makeCertificates } from './certificates.ts';
import { Endpoint } from './endpoint.ts';
import { changeFaults, type Faults, NO_FAULTS, seededRandom } from './faults.ts';
import { Records } from './records.ts';

export interface SimulatorOptions {
  readonly apns?: Partial<ApnsRulesOptions> & { readonly port?: number };
  readonly faults?: Partial<Faults>;
  readonly seed?: number;
  readonly keepLatest?: number;
  readonly clock?: Clock;
}

export async function startSimulator(options: SimulatorOptions = {}) {
  const certificates = makeCertificates(['localhost'], ['127.0.0.1']);
  const clock = options.clock ?? systemClock;
  const key = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const apnsOptions: ApnsRulesOptions = {
    keyId: options.apns?.keyId ?? 'SIMKEY0001',
    teamId: options.apns?.teamId ?? 'SIMTEAM001',
    bundleId: options.apns?.bundleId ?? 'com.example.chat',
    p8Key: options.apns?.p8Key ?? key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  const records = new Records(options.keepLatest ?? 1_000);
  const rules = new ApnsRules(apnsOptions, clock);
  const faults = changeFaults(NO_FAULTS, options.faults ?? {});
  const apns = new Endpoint(certificates, rules, records, faults, seededRandom(options.seed ?? 1));
  const port = await apns.listen(options.apns?.port ?? 0);
  return {
    ca: certificates.ca,
    apns: { ...apnsOptions, host: `127.0.0.1:${port}`, records, rules, endpoint: apns },
    close: () => apns.close(),
  };
}
