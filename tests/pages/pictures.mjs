// Pictures that somebody looked at and approved, and how a page is compared with its picture.
import fs from 'node:fs';
import path from 'node:path';
import url from 'node:url';

const folder = path.join(path.dirname(url.fileURLToPath(import.meta.url)), 'approved');
const update = process.env.LATENCYTUNER_UPDATE === '1';
const tallest = 1000;
// A picture has half the size of the page. Blocks of it are compared by their mean colour: anti-aliasing and hinting hardly move a mean, a line that is gone does.
const scale = 2;
const block = 8;
const farColour = 10;
const mostFar = 0.004;

// One of each kind as most people see it; the dark scheme, a phone and paper for those with the most in them.
const light = [
  'measure-good', 'measure-bad', 'diagnose', 'sweep', 'sweep-window', 'sweep-buffers', 'series-day', 'protocols', 'under-load', 'check-fail', 'compare',
  'compare-snapshots', 'settings-explain', 'settings-list', 'selftest', 'apply-done', 'verify', 'verify-effect', 'recommend', 'analyze', 'sockets', 'fleet',
  'profiles', 'history', 'failure', 'index',
];
const others = { 1280: { dark: ['measure-bad', 'sweep-window', 'fleet'] }, 360: { light: ['measure-bad', 'analyze', 'fleet'] }, 718: { print: ['measure-bad'] } };

export function isApproved(name, width, scheme) {
  return width === 768 ? scheme === 'light' && light.includes(name) : others[width]?.[scheme]?.includes(name) ?? false;
}

// In the painter: a PNG at half its size, as a PNG.
async function smaller({ png, scale }) {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const canvas = new OffscreenCanvas(Math.floor(image.width / scale), Math.floor(image.height / scale));
  const paint = canvas.getContext('2d');
  paint.imageSmoothingQuality = 'high';
  paint.drawImage(image, 0, 0, canvas.width, canvas.height);
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
  return btoa(Array.from(bytes, b => String.fromCharCode(b)).join(''));
}

// In the painter: the share of the blocks whose mean colours are far apart; blocks that only one of the pictures has are.
async function difference({ a, b, block, farColour }) {
  const pixels = async png => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const paint = new OffscreenCanvas(image.width, image.height).getContext('2d');
    paint.drawImage(image, 0, 0);
    return paint.getImageData(0, 0, image.width, image.height);
  };
  const [one, two] = [await pixels(a), await pixels(b)];
  const mean = (image, x, y) => {
    const sum = [0, 0, 0];
    let n = 0;
    for (let j = y; j < Math.min(y + block, image.height); j++) {
      for (let i = x; i < Math.min(x + block, image.width); i++, n++) {
        for (let c = 0; c < 3; c++) { sum[c] += image.data[4 * (j * image.width + i) + c]; }
      }
    }
    return n === 0 ? [-999, -999, -999] : sum.map(s => s / n);
  };
  let [blocks, far] = [0, 0];
  for (let y = 0; y < Math.max(one.height, two.height); y += block) {
    for (let x = 0; x < Math.max(one.width, two.width); x += block, blocks++) {
      const [p, q] = [mean(one, x, y), mean(two, x, y)];
      far += p.some((v, c) => Math.abs(v - q[c]) > farColour) ? 1 : 0;
    }
  }
  return far / blocks;
}

async function take(page, painter) {
  const height = Math.min(tallest, await page.evaluate(() => document.documentElement.scrollHeight));
  const png = await page.screenshot({ fullPage: true, clip: { x: 0, y: 0, width: page.viewportSize().width, height } });
  return painter.evaluate(smaller, { png: png.toString('base64'), scale });
}

// Compares a page with its picture. Then it hides a chart: a comparison that does not see that would see nothing.
export async function approve(page, painter, name, width, scheme, result) {
  const file = path.join(folder, `${name}-${width}-${scheme}.png`);
  const now = await take(page, painter);
  if (update) {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(file, Buffer.from(now, 'base64'));
  }

  if (!fs.existsSync(file)) {
    result(`${name} at ${width} px, ${scheme}: picture`, [`there is no ${file}; look at the page, then run with --update`]);
    return;
  }

  const approved = fs.readFileSync(file).toString('base64');
  const far = await painter.evaluate(difference, { a: approved, b: now, block, farColour });
  result(`${name} at ${width} px, ${scheme}: picture`, far <= mostFar ? [] : [`${(100 * far).toFixed(2)} % of it differ from ${file}; look at both`]);
  const hidden = await page.evaluate(tallest => {
    const chart = [...document.querySelectorAll('main svg')].find(s => { const r = s.getBoundingClientRect(); return r.height > 60 && r.bottom + scrollY < tallest; });
    if (chart) { chart.style.visibility = 'hidden'; }
    return Boolean(chart);
  }, tallest);
  if (hidden) {
    const without = await painter.evaluate(difference, { a: approved, b: await take(page, painter), block, farColour });
    result(`${name} at ${width} px, ${scheme}: a missing chart is seen`, without > mostFar ? [] : [`only ${(100 * without).toFixed(2)} % of the picture differ`]);
    await page.evaluate(() => document.querySelectorAll('main svg').forEach(s => s.style.removeProperty('visibility')));
  }
}
