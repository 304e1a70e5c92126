/** Stands where the packages of the bundled classifier are: a picture is JSON that says how it behaves. */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let decoded = 0;
let atOnce = 0;
let atOnceMax = 0;

export const wasmFolder = '';
export const setWasmPaths = () => {};
export const MobileNetV2Model = {};
export const tf = { setBackend: async () => true, tensor3d: (values) => ({ values, dispose() {} }) };
/** Porn: how many pictures were decoded. Sexy: how many at most at the same time. */
export const load = async () => ({
  classify: async ({ values: [count, together] }) => [
    { className: 'Porn', probability: count / 100 },
    { className: 'Sexy', probability: together / 100 },
  ],
});

class Picture {
  constructor(bytes) {
    this.picture = JSON.parse(Buffer.from(bytes).toString());
  }
  async metadata() {
    return this.picture;
  }
  flatten() {
    return this;
  }
  toColourspace() {
    return this;
  }
  resize() {
    return this;
  }
  raw() {
    return this;
  }
  timeout() {
    return this;
  }
  async toBuffer() {
    decoded++;
    atOnceMax = Math.max(atOnceMax, ++atOnce);
    await sleep(this.picture.ms ?? 0);
    atOnce--;
    return Buffer.from([decoded, atOnceMax]);
  }
}
export const sharp = Object.assign((bytes) => new Picture(bytes), { cache() {} });
