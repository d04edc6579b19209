// A QR code (ISO/IEC 18004) of short texts in capitals (version 2, level M, alphanumeric, at most 38 characters), or of addresses
// (version 5, level L, at most 106 bytes). Both have one block of data, mask 0 and one alignment pattern.

import { draw } from "./parts.js";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
/** The two forms; `format` is the information of level and mask, with its error correction. */
const SHORT = { size: 25, data: 28, check: 16, format: 0b101010000010010 };
const ADDRESS = { size: 37, data: 108, check: 26, format: 0b111011111000100, isBytes: true };

// The field of 256 elements over x^8 + x^4 + x^3 + x^2 + 1.
const powers = [];
for (let k = 0, value = 1; k < 255; k++) {
  powers.push(value);
  value = value << 1 ^ (value & 128 ? 0x11d : 0);
}
const logarithm = (value) => powers.indexOf(value & 255);
const times = (a, b) => (a && b ? powers[(logarithm(a) + logarithm(b)) % 255] : 0);

const checkBytes = (data, check) => {
  let generator = [1];
  for (let k = 0; k < check; k++) {
    const next = [...generator, 0];
    generator.forEach((value, index) => { next[index + 1] ^= times(value, powers[k]); });
    generator = next;
  }
  const rest = [...data, ...Array(check).fill(0)];
  for (let k = 0; k < data.length; k++) {
    const lead = rest[k];
    generator.forEach((value, index) => { rest[k + index] ^= times(value, lead); });
  }
  return rest.slice(data.length);
};

const binary = (value, length) => value.toString(2).padStart(length, "0");

const letterBits = (text) => {
  let bits = "0010" + binary(text.length, 9);
  for (let k = 0; k < text.length; k += 2) {
    const [a, b] = [LETTERS.indexOf(text[k]), LETTERS.indexOf(text[k + 1] ?? "0")];
    bits += k + 1 < text.length ? binary(a * 45 + b, 11) : binary(a, 6);
  }
  return bits;
};

const byteBits = (text) => {
  const bytes = [...new TextEncoder().encode(text)];
  return "0100" + binary(bytes.length, 8) + bytes.map((byte) => binary(byte, 8)).join("");
};

const codewords = (text, form) => {
  let bits = form.isBytes ? byteBits(text) : letterBits(text);
  bits = bits.padEnd(Math.min(form.data * 8, bits.length + 4), "0");
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, "0");
  const bytes = bits.match(/.{8}/g).map((byte) => parseInt(byte, 2));
  for (let k = 0; bytes.length < form.data; k++) bytes.push(k % 2 ? 0x11 : 0xec);
  return [...bytes, ...checkBytes(bytes, form.check)];
};

/** The modules of a text: rows of booleans; `null` for a text that does not fit. */
const modulesOf = (text, form = SHORT) => {
  const fits = form.isBytes ? new TextEncoder().encode(text).length <= 106
    : text.length <= 38 && [...text].every((letter) => LETTERS.includes(letter));
  if (!fits) return null;
  const SIZE = form.size;
  const grid = Array.from({ length: SIZE }, () => Array(SIZE).fill(null));
  const finder = (row, column) => {
    for (let y = -1; y < 8; y++) {
      for (let x = -1; x < 8; x++) {
        if (!(grid[row + y]?.[column + x] !== undefined)) continue;
        const ring = Math.max(Math.abs(x - 3), Math.abs(y - 3));
        grid[row + y][column + x] = ring !== 2 && ring < 4;
      }
    }
  };
  finder(0, 0);
  finder(0, SIZE - 7);
  finder(SIZE - 7, 0);
  for (let y = -2; y <= 2; y++) for (let x = -2; x <= 2; x++) grid[SIZE - 7 + y][SIZE - 7 + x] = Math.max(Math.abs(x), Math.abs(y)) !== 1;
  for (let k = 8; k < SIZE - 8; k++) grid[6][k] = grid[k][6] = k % 2 === 0;
  const format = (index) => Boolean(form.format >> index & 1);
  for (let k = 0; k < 15; k++) {
    // Beside the upper left finder, and split beside the other two.
    const [row, column] = k < 6 ? [8, k] : k === 6 ? [8, 7] : k === 7 ? [8, 8] : k === 8 ? [7, 8] : [14 - k, 8];
    grid[row][column] = format(14 - k);
    if (k < 7) grid[SIZE - 1 - k][8] = format(14 - k);
    else grid[8][SIZE - 15 + k] = format(14 - k);
  }
  grid[SIZE - 8][8] = true;
  const bits = codewords(text, form).map((byte) => binary(byte, 8)).join("");
  let place = 0;
  for (let right = SIZE - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right -= 1;
    for (let step = 0; step < SIZE; step++) {
      const row = isUp ? SIZE - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (grid[row][column] !== null) continue;
        grid[row][column] = (bits[place++] === "1") !== ((row + column) % 2 === 0);
      }
    }
  }
  return grid;
};

/** The code of a text as a drawing, black on white in any colours of the page; `null` for a text that does not fit. */
const qrCode = (text, label, form = SHORT) => {
  const grid = modulesOf(text, form);
  if (!grid) return null;
  const side = form.size + 8;
  let path = "";
  grid.forEach((row, y) => row.forEach((isDark, x) => { if (isDark) path += `M${x + 4} ${y + 4}h1v1h-1z`; }));
  const svg = draw("svg", { viewBox: `0 0 ${side} ${side}`, class: "qr", role: "img", "aria-label": label });
  svg.append(draw("rect", { width: side, height: side, fill: "#fff" }), draw("path", { d: path, fill: "#000" }));
  return svg;
};

export { ADDRESS, modulesOf, qrCode };
