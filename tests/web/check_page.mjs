// Opens pages in headless Chromium, light, dark and printed, wide and narrow, and says what a reader
// would stumble over: text that overlaps or is cut, axes without unit, what axe-core finds, a first
// page that does not fit on one sheet, anything fetched. usage: check_page.mjs [--shots DIR] PAGE...
import { readFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const modules = process.env.ASSAY_WEB_MODULES;
const require = createRequire(join(modules, 'package.json'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const SHEET = { width: 703, height: 1047 }; // A4 less the page's margins, 96 px an inch
const views = [
    { name: 'light-wide', media: 'screen', scheme: 'light', width: 1280, height: 900 },
    { name: 'dark-wide', media: 'screen', scheme: 'dark', width: 1280, height: 900 },
    { name: 'light-narrow', media: 'screen', scheme: 'light', width: 390, height: 844 },
    { name: 'dark-narrow', media: 'screen', scheme: 'dark', width: 390, height: 844 },
    { name: 'print', media: 'print', scheme: 'light', width: SHEET.width, height: SHEET.height },
];

// Runs in the page. Boxes are in CSS pixels; 1 px of slack for rounding.
function findFaults({ print, sheetHeight }) {
    const faults = [];
    const say = (what, text) => faults.push(`${what}: "${text.trim().slice(0, 70)}"`);
    const shrink = (r) => ({ left: r.left + 1, right: r.right - 1, top: r.top + 1.5, bottom: r.bottom - 1.5 });
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

    // Every line of visible text, with whose it is.
    const lines = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode, parent = node.parentElement;
        if (!node.data.trim() || !parent.checkVisibility() || parent.closest('title, desc, style')) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const rect of range.getClientRects()) {
            if (rect.width > 0.5 && rect.height > 0.5) lines.push({ rect, parent, text: node.data });
        }
    }
    lines.sort((a, b) => a.rect.top - b.rect.top);
    for (let i = 0; i < lines.length; i++) {
        const a = shrink(lines[i].rect);
        for (let j = i + 1; j < lines.length && lines[j].rect.top < a.bottom; j++) {
            if (meet(a, shrink(lines[j].rect))) say(`overlaps "${lines[j].text.trim().slice(0, 40)}"`, lines[i].text);
        }
    }
    for (const { rect, parent, text } of lines) {
        const svg = parent.closest('svg');
        if (svg) {
            const box = svg.getBoundingClientRect();
            if (rect.left < box.left - 1 || rect.right > box.right + 1 || rect.top < box.top - 1 ||
                rect.bottom > box.bottom + 1) say('cut by its drawing', text);
            continue;
        }
        const scrolls = parent.closest('.wide');
        if (!scrolls && (rect.right > document.documentElement.clientWidth + 1 || rect.left < -1)) say('beyond the page', text);
    }
    if (document.documentElement.scrollWidth > window.innerWidth + 1) say('page scrolls sideways', `${document.documentElement.scrollWidth} px`);

    // Ticks on an axis ask for a title with a unit: "cost [MUSD]", "成本（万元）".
    for (const svg of document.querySelectorAll('svg.chart')) {
        const titles = [...svg.querySelectorAll('text.title')];
        for (const title of titles) {
            if (!/\[[^\]]+\]|（[^）]+）/.test(title.textContent)) say('axis without unit', title.textContent);
        }
        for (const [tick, title] of [['middle', 'middle'], ['end', 'start']]) {
            const has = (css, anchor) => svg.querySelector(`text.${css}[text-anchor="${anchor}"]`);
            if (has('tick', tick) && !has('title', title)) say('axis without title', svg.querySelector('title')?.textContent ?? '');
        }
        if (!svg.querySelector('title')?.textContent || !svg.querySelector('desc')?.textContent) say('drawing without text', svg.id);
    }
    if (print) {
        for (const sheet of document.querySelectorAll('.sheet')) {
            const height = sheet.getBoundingClientRect().height;
            if (height > sheetHeight) say('does not fit on one sheet', `${Math.round(height)} of ${sheetHeight} px`);
        }
    }
    return faults;
}

const args = process.argv.slice(2);
const shots = args[0] === '--shots' ? (args.shift(), args.shift()) : null;
if (args.length === 0) {
    console.error('usage: check_page.mjs [--shots DIR] PAGE...');
    process.exit(2);
}
if (shots) mkdirSync(shots, { recursive: true });
const browser = await chromium.launch({
    executablePath: process.env.ASSAY_CHROMIUM, args: ['--no-sandbox', '--force-color-profile=srgb'],
});
let bad = 0;
for (const file of args) {
    for (const view of views) {
        const context = await browser.newContext({ viewport: { width: view.width, height: view.height }, colorScheme: view.scheme });
        const page = await context.newPage();
        const faults = [];
        page.on('request', (request) => {
            if (!request.url().startsWith('file:')) faults.push(`fetches ${request.url()}`);
        });
        page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
        await page.emulateMedia({ media: view.media, colorScheme: view.scheme });
        await page.goto(pathToFileURL(resolve(file)).href);
        faults.push(...await page.evaluate(findFaults, { print: view.media === 'print', sheetHeight: SHEET.height }));
        if (view.media === 'screen') {
            await page.evaluate(axe);
            const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
            for (const v of violations) faults.push(`axe ${v.id}: ${v.help} (${v.nodes[0].target}, ${v.nodes.length} places)`);
        }
        const name = `${basename(file, '.html')} ${view.name}`;
        for (const fault of faults.slice(0, 20)) console.log(`${name}: ${fault}`);
        if (faults.length > 20) console.log(`${name}: ${faults.length - 20} more`);
        bad += faults.length;
        if (shots) {
            await page.screenshot({ path: join(shots, `${basename(file, '.html')}-${view.name}.png`), fullPage: true });
        }
        await context.close();
    }
}
await browser.close();
console.log(`${args.length} pages in ${views.length} views: ${bad ? `${bad} faults` : 'nothing to fault'}`);
process.exit(bad ? 1 : 0);
