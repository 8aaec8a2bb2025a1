// `bun run bench [figure ...]`: measures the compiled binary against floors taken in the same run and prints a table of
// ratios. A figure is one file and one line here. Timings gate nothing: the exit code is 0 whatever they are.
import { appendFigure } from "./append.ts";
import { artifactsFigure } from "./artifacts.ts";
import { brainPutFigure } from "./brain-put.ts";
import { briefFigure } from "./brief.ts";
import type { Figure, Row } from "./figure.ts";
import { forkFigure } from "./fork.ts";
import { knowledgeFigure } from "./knowledge.ts";
import { searchFigure } from "./search.ts";
import { startUpFigure } from "./start-up.ts";
import { startSubject } from "./subject.ts";
import { renderTable } from "./table.ts";
import { whoamiFigure } from "./whoami.ts";

const figures: readonly Figure[] = [
  appendFigure,
  whoamiFigure,
  startUpFigure,
  knowledgeFigure,
  brainPutFigure,
  forkFigure,
  searchFigure,
  briefFigure,
  artifactsFigure,
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !figures.some((figure) => figure.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `bench: no figure ${unknown.join(", ")}; there are ${figures.map(({ name }) => name).join(", ")}\n`,
  );
  process.exit(2);
}
const chosen = figures.filter(({ name }) => asked.length === 0 || asked.includes(name));

const rows: Row[] = [];
{
  await using subject = await startSubject();
  for (const figure of chosen) rows.push(...(await figure.measure(subject)));
}
process.stdout.write(renderTable(rows));
process.exit(0);
