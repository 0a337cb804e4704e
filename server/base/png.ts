import { crc32, deflateSync } from "node:zlib";

// Black and white pictures as PNG: one bit per pixel, no filter.

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function buildChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** `rows` are the rows of a picture, true for black; every pixel becomes a square of `scale` pixels. */
export function encodePng(rows: readonly (readonly boolean[])[], scale = 1): Buffer {
  const [width, height] = [(rows[0]?.length ?? 0) * scale, rows.length * scale];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1; // bits per pixel; all else is 0: grey, deflate, no filter, not interlaced
  const bytesPerRow = 1 + Math.ceil(width / 8);
  const pixels = Buffer.alloc(bytesPerRow * height);
  for (let y = 0; y < height; y++) {
    const row = rows[Math.floor(y / scale)] ?? [];
    for (let x = 0; x < width; x++)
      if (!row[Math.floor(x / scale)]) {
        const at = y * bytesPerRow + 1 + (x >> 3);
        pixels[at] = (pixels[at] ?? 0) | (0x80 >> (x & 7));
      }
  }
  return Buffer.concat([
    signature,
    buildChunk("IHDR", header),
    buildChunk("IDAT", deflateSync(pixels)),
    buildChunk("IEND", Buffer.alloc(0)),
  ]);
}
