// Reads diagrams with the programs that draw them, and prints for each what its boxes say and how many edges it has.
import { readFileSync } from 'node:fs';
import { JSDOM } from 'jsdom';
import { instance } from '@viz-js/viz';

globalThis.window = new JSDOM('').window;
globalThis.document = window.document;
const { default: mermaid } = await import('mermaid');
const viz = await instance();

// While it draws, mermaid keeps the numbers of characters like this.
const decoded = (text) => text.replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(Number(code)));

// Graphviz hands back a label as it reads it: with the escapes that it obeys when it draws.
const meant = (label) =>
  label.replace(/\\(.)/g, (_, c) => (c === 'n' ? '\n' : c)).replaceAll('&amp;', '&');

async function read(path) {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.mmd')) {
    await mermaid.parse(text);
    const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
    const labels = [...db.getVertices().values()].map((node) => decoded(node.text).split('<br>'));
    return { labels, edges: db.getEdges().length };
  }
  const graph = viz.renderJSON(text);
  const nodes = (graph.objects ?? []).filter((object) => !object.name.startsWith('cluster_'));
  return { labels: nodes.map((node) => meant(node.label).split('\n')), edges: (graph.edges ?? []).length };
}

for (const path of process.argv.slice(2)) {
  console.log(JSON.stringify(await read(path)));
}
