// The mark: three agents around one hub. The same geometry as SVG and as pixels, in units of the side.
import { png, type Rgba } from "./png.ts";

type Point = readonly [x: number, y: number];
type Shape = { ground: Ground; scale: number; ink: string };
/** `round` is the usual tile, `full` bleeds to the edge so that a platform can cut its own form, `none` is one colour. */
type Ground = "round" | "full" | "none";

const slate = "#0c1418";
const paper = "#e6eef0";
const corner = 0.22;
const middle: Point = [0.5, 0.5];
const orbit = 0.29;
const agentRadius = 0.085;
const ring = { radius: 0.125, stroke: 0.05 };
const spoke = 0.04;
// Straight up, then every third of the way round.
const agents: readonly Point[] = [-90, 30, 150].map((degrees): Point => {
  const turn = (degrees * Math.PI) / 180;
  return [0.5 + orbit * Math.cos(turn), 0.5 + orbit * Math.sin(turn)];
});

export function iconSvg(): string {
  const at = (value: number): string => String(Math.round(value * 1000) / 10);
  const spokes = agents.map(([x, y]) => {
    const [fromX, fromY] = edgeOfRing([x, y]);
    return `M${at(fromX)} ${at(fromY)}L${at(x)} ${at(y)}`;
  });
  const dots = agents.map(([x, y]) => `<circle cx="${at(x)}" cy="${at(y)}" r="${at(agentRadius)}"/>`);
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">',
    `<rect width="100" height="100" rx="${at(corner)}" fill="${slate}"/>`,
    `<g fill="${paper}">${dots.join("")}</g>`,
    `<path d="${spokes.join("")}" stroke="${paper}" stroke-width="${at(spoke)}"/>`,
    `<circle cx="50" cy="50" r="${at(ring.radius)}" fill="none" stroke="${paper}" stroke-width="${at(ring.stroke)}"/>`,
    "</svg>",
  ].join("");
}

/** Icons by path, as the manifest and the page name them. */
export function iconPngs(): Map<string, Uint8Array<ArrayBuffer>> {
  return new Map([
    ["icon-180.png", draw(180, { ground: "full", scale: 1, ink: paper })],
    ["icon-192.png", draw(192, { ground: "round", scale: 1, ink: paper })],
    ["icon-512.png", draw(512, { ground: "round", scale: 1, ink: paper })],
    // Only the inner four fifths are sure to be seen.
    ["icon-512-maskable.png", draw(512, { ground: "full", scale: 0.8, ink: paper })],
    ["icon-512-monochrome.png", draw(512, { ground: "none", scale: 0.8, ink: "#ffffff" })],
  ]);
}

function draw(side: number, { ground, scale, ink }: Shape): Uint8Array<ArrayBuffer> {
  const pixelWidth = 1 / side;
  const coverage = (distance: number): number => Math.min(1, Math.max(0, 0.5 - distance / pixelWidth));
  const [inkRed, inkGreen, inkBlue] = channels(ink);
  const [red, green, blue] = channels(slate);
  return png(side, (x, y): Rgba => {
    const mark = coverage(scale * distanceToMark([(x - 0.5) / scale + 0.5, (y - 0.5) / scale + 0.5]));
    if (ground === "none") return [inkRed, inkGreen, inkBlue, mark];
    const mix = (from: number, to: number): number => from + (to - from) * mark;
    const alpha = ground === "full" ? 1 : coverage(distanceToTile([x, y]));
    return [mix(red, inkRed), mix(green, inkGreen), mix(blue, inkBlue), alpha];
  });
}

function channels(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

// Signed distances: negative inside.
function distanceToMark(point: Point): number {
  const toRing = Math.abs(distance(point, middle) - ring.radius) - ring.stroke / 2;
  const parts = agents.flatMap((agent) => [
    distance(point, agent) - agentRadius,
    distanceToLine(point, edgeOfRing(agent), agent) - spoke / 2,
  ]);
  return Math.min(toRing, ...parts);
}

function distanceToTile([x, y]: Point): number {
  const over = (value: number): number => Math.abs(value - 0.5) - (0.5 - corner);
  const [overX, overY] = [over(x), over(y)];
  return Math.hypot(Math.max(overX, 0), Math.max(overY, 0)) + Math.min(Math.max(overX, overY), 0) - corner;
}

function edgeOfRing([x, y]: Point): Point {
  const part = ring.radius / orbit;
  return [0.5 + (x - 0.5) * part, 0.5 + (y - 0.5) * part];
}

function distance([x, y]: Point, [toX, toY]: Point): number {
  return Math.hypot(x - toX, y - toY);
}

function distanceToLine(point: Point, from: Point, to: Point): number {
  const length = distance(from, to);
  const along = ((point[0] - from[0]) * (to[0] - from[0]) + (point[1] - from[1]) * (to[1] - from[1])) / length ** 2;
  const t = Math.min(1, Math.max(0, along));
  return distance(point, [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t]);
}
