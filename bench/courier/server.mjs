// The server of the courier benchmarks: our simulator in a process of its own, so that its CPU is not counted.
import { createServer } from 'node:https';
import { makeCertificates, startSimulator } from '../../packages/courier/dist/simulator/index.js';
import { faultOf, trialToken } from './trial.mjs';

const { trial, ...options } = JSON.parse(process.argv[2] ?? '{}');
const simulator = await startSimulator(options);
const { apns, fcm, webpush } = simulator;

// web-push speaks HTTP/1.1 only: a plain server that answers 201.
const certificates = makeCertificates(['localhost'], ['127.0.0.1']);
const plain = createServer(certificates, (request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(201).end());
});
await new Promise((resolve) => plain.listen(0, '127.0.0.1', resolve));

// The fault table: what happens to which push. Each happens once, however often the client sends.
if (trial !== undefined) {
  for (let push = 0; push < trial.pushes; push++) {
    const fault = faultOf(push);
    if (fault === undefined) continue;
    apns.once(trialToken(push), fault);
    fcm.once(`fcm-${trialToken(push)}`, fault);
  }
}

process.send?.({
  ca: simulator.ca + certificates.ca,
  apns: { host: apns.host, keyId: apns.keyId, teamId: apns.teamId, bundleId: apns.bundleId, p8Key: apns.p8Key },
  fcm: { endpoint: fcm.endpoint, serviceAccount: fcm.serviceAccount },
  subscription: webpush.subscribe(),
  plainPort: plain.address().port,
});

const acceptedBy = (records) =>
  records
    .latest()
    .filter((record) => record.status === 200)
    .map((record) => record.target);

// A bench that was stopped leaves no server behind.
process.on('disconnect', () => process.exit(0));

let before = process.cpuUsage();
process.on('message', (message) => {
  if (message === 'stop') process.exit(0);
  const cpu = process.cpuUsage(before);
  before = process.cpuUsage();
  process.send?.({
    cpuUs: cpu.user + cpu.system,
    received: apns.records.counts().received,
    accepted: message === 'trial' ? { apns: acceptedBy(apns.records), fcm: acceptedBy(fcm.records) } : undefined,
    met: { apns: apns.faultCounts, fcm: fcm.faultCounts },
  });
  apns.records.clear();
  fcm.records.clear();
});
