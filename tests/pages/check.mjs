// Opens pages in Chromium and checks them: check.mjs FOLDER [SHOTS [NAME...]]. Prints "not ok" lines, then "N passed, N failed".
// With LATENCYTUNER_UPDATE=1 the approved pictures are written anew. With LATENCYTUNER_SHORT=1 two of three pages are looked at in the width of a phone and as
// in their pictures alone, without axe.
import { chromium } from 'playwright-core';
import axe from 'axe-core';
import fs from 'node:fs';
import path from 'node:path';
import url from 'node:url';
import { isApproved, approve } from './pictures.mjs';

const [folder, shots, ...only] = process.argv.slice(2);
const sizes = [[360, 'light'], [768, 'light'], [1280, 'light'], [1280, 'dark'], [718, 'print']].concat(process.argv[3] ? [[360, 'dark']] : []);
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
let passed = 0;
let failed = 0;

function result(name, faults) {
  if (faults.length === 0) {
    passed++;
  } else {
    failed++;
    console.log(`not ok - ${name}: ${faults.slice(0, 4).join(' | ')}${faults.length > 4 ? ` | and ${faults.length - 4} more` : ''}`);
  }
}

// Boxes of text that cover or touch each other, and text that leaves its chart or the page. Runs in the page.
function overlaps() {
  const boxes = [];
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.textContent.trim() || ['TITLE', 'title', 'STYLE', 'SCRIPT'].includes(parent.tagName) || !parent.checkVisibility({ visibilityProperty: true })) { continue; }
    // What scrolls is cut by its frame; what is scrolled out of sight covers nothing.
    const scroller = parent.closest('.scroll, pre');
    const frame = scroller && scroller.scrollWidth > scroller.clientWidth + 1 ? scroller.getBoundingClientRect() : null;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const r of range.getClientRects()) {
      if (r.width < 1 || r.height < 1 || (frame && (r.left > frame.right || r.right < frame.left))) { continue; }
      // Half of the leading above and below the letters is empty.
      const inset = r.height * 0.18;
      boxes.push({ l: r.left, r: r.right, t: r.top + inset, b: r.bottom - inset, text: node.textContent.trim().slice(0, 40), node, svg: parent.closest('svg'), frame });
    }
  }
  const faults = [];
  const width = document.documentElement.clientWidth;
  for (const b of boxes) {
    if (!b.frame && (b.l < -0.5 || b.r > width + 0.5)) { faults.push(`'${b.text}' leaves the page`); }
    if (b.svg) {
      const s = b.svg.getBoundingClientRect();
      if (b.l < s.left - 0.5 || b.r > s.right + 0.5 || b.t < s.top - 1 || b.b > s.bottom + 1) { faults.push(`'${b.text}' leaves its chart`); }
    }
  }
  boxes.sort((a, b) => a.t - b.t);
  for (let i = 0; i < boxes.length; i++) {
    for (let j = i + 1; j < boxes.length && boxes[j].t < boxes[i].b; j++) {
      const [a, b] = [boxes[i], boxes[j]];
      const gap = Math.max(a.l, b.l) - Math.min(a.r, b.r);
      // Words of one sentence in several elements stand as near as a space.
      const beside = a.node !== b.node && (a.svg || a.node.parentElement.closest('td, th, dt, dd') !== b.node.parentElement.closest('td, th, dt, dd')) ? 2 : -0.5;
      if (a.node !== b.node && gap < beside) { faults.push(`'${a.text}' touches '${b.text}' (${gap.toFixed(1)} px)`); }
    }
  }
  if (document.documentElement.scrollWidth > width + 1) { faults.push(`the page is ${document.documentElement.scrollWidth} px wide`); }
  return [...new Set(faults)];
}

// Waits until the page has its new width and its charts were told of it, which is before the first frame of that width.
async function rendered(page, width) {
  await page.waitForFunction(w => window.innerWidth === w, width);
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags, timeout: 900_000 });
const names = fs.readdirSync(folder).filter(f => f.endsWith('.html')).map(f => f.slice(0, -5)).filter(n => only.length === 0 || only.includes(n)).sort();
const painter = await (await browser.newContext()).newPage();
painter.setDefaultTimeout(900_000);
for (const [index, name] of names.entries()) {
  const short = process.env.LATENCYTUNER_SHORT === '1' && index % 3 !== 0;
  const shown = short ? sizes.filter(([w, s]) => w === 360 || isApproved(name, w, s)) : sizes;
  const context = await browser.newContext();
  // Nothing here is about time, and the machine may have other things to do.
  context.setDefaultTimeout(900_000);
  const page = await context.newPage();
  const trouble = [];
  page.on('console', m => { if (m.type() === 'error' || m.type() === 'warning') { trouble.push(m.text()); } });
  page.on('pageerror', e => trouble.push(String(e)));
  page.on('dialog', d => { trouble.push(`dialog: ${d.message()}`); d.dismiss(); });
  const address = url.pathToFileURL(path.join(folder, name + '.html')).href;
  page.on('request', r => { if (r.url().split('#')[0] !== address) { trouble.push(`requested ${r.url()}`); } });
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(address);
  // Axe is run by the browser's own debugging channel, which the policy of the page does not hold for; pages stay without scripts.
  const session = await context.newCDPSession(page);
  const run = async expression => {
    const { result: value, exceptionDetails } = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) { throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text); }
    return value.value;
  };
  if (name === 'interactive') {
    result(`${name}: charts that can be zoomed`, await page.locator('.uplot canvas').count() === 2 ? [] : ['no chart was made']);
    await page.locator('button', { hasText: 'Leave out what is shown' }).first().click();
    result(`${name}: a span is left out`, (await page.locator('[role=status]').first().textContent()).startsWith('--exclude ') ? [] : ['nothing was left out']);
    await page.locator('button', { hasText: 'Show all again' }).first().click();
  }
  await run(axe.source + ';0');
  for (const [width, scheme] of shown) {
    await page.emulateMedia({ media: scheme === 'print' ? 'print' : 'screen', colorScheme: scheme === 'dark' ? 'dark' : 'light' });
    await page.setViewportSize({ width, height: 900 });
    await rendered(page, width);
    if (shots) { await page.screenshot({ path: path.join(shots, `${name}-${width}-${scheme}.png`), fullPage: true }); }
    if (isApproved(name, width, scheme)) { await approve(page, painter, name, width, scheme, result); }
    result(`${name} at ${width} px, ${scheme}: text`, await page.evaluate(overlaps));
    await page.evaluate(() => document.querySelectorAll('details').forEach(d => d.setAttribute('open', '')));
    if (scheme !== 'dark') {
      result(`${name} at ${width} px, ${scheme}: text of the tables`, await page.evaluate(overlaps));
    }
    if (!short && scheme === (width === 360 ? 'light' : 'dark')) {
      const violations = await run(`axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'] }).then(r => r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 2).map(n => n.target.join(' ')).join(', ')))`);
      result(`${name} at ${width} px, ${scheme}: axe`, violations);
    }
    await page.evaluate(() => document.querySelectorAll('details').forEach(d => d.removeAttribute('open')));
  }
  result(`${name}: nothing printed, thrown or requested`, trouble);
  result(`${name}: scripts`, await page.evaluate(n => [...document.scripts].filter(s => n !== 'interactive').map(s => s.outerHTML.slice(0, 60)), name));
  await context.close();
}

await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
