import { constants, crc32, createDeflateRaw } from "node:zlib";

// A ZIP archive written as a stream: what is in a file is not known before it was read, so its sizes stand behind it.

export type ZipEntry = { name: string; bytes: AsyncIterable<Buffer> };

const numbers = (...fields: [size: 2 | 4, value: number][]): Buffer => {
  const buffer = Buffer.alloc(fields.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) buffer.writeUInt16LE(value, at);
    else buffer.writeUInt32LE(value, at);
    at += size;
  }
  return buffer;
};

const largest = 0xffff_fffe;

/** MS-DOS counts seconds in twos, years from 1980, and knows no zones. */
function dosTime(moment: Date): [number, number] {
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1);
  const date = ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate();
  return [time, date];
}

export async function* zip(entries: AsyncIterable<ZipEntry>, moment: Date): AsyncGenerator<Buffer> {
  const [time, date] = dosTime(moment);
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, bytes } of entries) {
    const title = Buffer.from(name);
    // bit 3: the sizes follow; bit 11: the name is UTF-8
    const common = [
      [2, 20],
      [2, 0x0808],
      [2, 8],
      [2, time],
      [2, date],
    ] as [2, number][];
    const begin = offset;
    const local = Buffer.concat([
      numbers([4, 0x04034b50], ...common, [4, 0], [4, 0], [4, 0], [2, title.length], [2, 0]),
      title,
    ]);
    yield local;
    const sum = { crc: 0, size: 0 };
    let packed = 0;
    for await (const chunk of deflated(bytes, sum)) {
      packed += chunk.length;
      yield chunk;
    }
    const sizes: [4, number][] = [
      [4, sum.crc],
      [4, packed],
      [4, sum.size],
    ];
    yield numbers([4, 0x08074b50], ...sizes);
    offset += local.length + packed + 16;
    if (sum.size > largest || offset > largest) throw new Error("the archive would be larger than 4 GiB");
    directory.push(
      numbers(
        [4, 0x02014b50],
        [2, 20],
        ...common,
        ...sizes,
        [2, title.length],
        [2, 0],
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, begin],
      ),
      title,
    );
  }
  const end = Buffer.concat(directory);
  const count = directory.length / 2;
  yield end;
  yield numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, end.length], [4, offset], [2, 0]);
}

async function* deflated(bytes: AsyncIterable<Buffer>, sum: { crc: number; size: number }): AsyncGenerator<Buffer> {
  const pack = createDeflateRaw({ level: constants.Z_BEST_SPEED });
  const feed = async () => {
    for await (const chunk of bytes) {
      sum.crc = crc32(chunk, sum.crc);
      sum.size += chunk.length;
      if (!pack.write(chunk)) await new Promise((go) => pack.once("drain", go));
    }
    pack.end();
  };
  const fed = feed().catch((error: Error) => void pack.destroy(error));
  yield* pack as AsyncIterable<Buffer>;
  await fed;
}
