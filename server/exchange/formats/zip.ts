import { constants, crc32, createDeflateRaw } from "node:zlib";

// Writes a ZIP archive as a stream: the sizes of a file follow its content, because they are not known before. ZIP64 is
// used only for numbers that need it, because some readers of workbooks refuse it. The yazl package was measured and needs
// three times the CPU time (its CRC is not native), and it does not stop its sources when the reader stops.

export type ZipEntry = { name: string; bytes: AsyncIterable<Buffer> };

type PackedNumber = [size: 2 | 4 | 8, value: number];

const packNumbers = (...fields: PackedNumber[]): Buffer => {
  const buffer = Buffer.alloc(fields.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, size);
    at += size;
  }
  return buffer;
};

/** A number from here on is stored in a ZIP64 field, and all its bits are set here. */
const zip64Limits = { size: 0xffff_ffff, count: 0xffff };
export type ZipLimits = typeof zip64Limits;

const version = { plain: 20, zip64: 45 };

/** MS-DOS time has a resolution of two seconds, starts in 1980 and has no time zone. */
function toDosTime(moment: Date): [number, number] {
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1);
  const date = ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate();
  return [time, date];
}

/** `limits`: where ZIP64 begins; tests set it lower. */
export async function* writeZip(
  entries: AsyncIterable<ZipEntry>,
  moment: Date,
  limits: ZipLimits = zip64Limits,
): AsyncGenerator<Buffer> {
  const [time, date] = toDosTime(moment);
  // bit 3: the sizes follow the content; bit 11: the name is UTF-8
  const common: PackedNumber[] = [
    [2, 0x0808],
    [2, 8],
    [2, time],
    [2, date],
  ];
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, bytes } of entries) {
    const title = Buffer.from(name);
    const begin = offset;
    const sizes: PackedNumber[] = [
      [4, 0],
      [4, 0],
      [4, 0],
    ];
    const local = Buffer.concat([
      packNumbers([4, 0x04034b50], [2, version.plain], ...common, ...sizes, [2, title.length], [2, 0]),
      title,
    ]);
    yield local;
    const sum = { crc: 0, size: 0, packed: 0 };
    for await (const chunk of deflate(bytes, sum)) {
      sum.packed += chunk.length;
      yield chunk;
    }
    const width = sum.size >= limits.size || sum.packed >= limits.size ? 8 : 4;
    const descriptor = packNumbers([4, 0x08074b50], [4, sum.crc], [width, sum.packed], [width, sum.size]);
    yield descriptor;
    offset += local.length + sum.packed + descriptor.length;
    directory.push(buildDirectoryEntry(title, common, { ...sum, begin }, limits));
  }
  yield* directory;
  yield buildEndRecord(directory, offset, limits);
}

type EntryFacts = { crc: number; size: number; packed: number; begin: number };

function buildDirectoryEntry(
  title: Buffer,
  common: readonly PackedNumber[],
  facts: EntryFacts,
  limits: ZipLimits,
): Buffer {
  const { crc, size, packed, begin } = facts;
  const large = [size, packed, begin].filter((value) => value >= limits.size);
  const shown = (value: number): PackedNumber => [4, value >= limits.size ? zip64Limits.size : value];
  const needed: PackedNumber = [2, large.length > 0 ? version.zip64 : version.plain];
  const extra =
    large.length === 0
      ? packNumbers()
      : packNumbers([2, 1], [2, large.length * 8], ...large.map((value): PackedNumber => [8, value]));
  const lengths: PackedNumber[] = [
    [2, title.length],
    [2, extra.length],
  ];
  const nothing: PackedNumber[] = [
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
  ];
  return Buffer.concat([
    packNumbers([4, 0x02014b50], needed, needed, ...common, [4, crc], shown(packed), shown(size)),
    packNumbers(...lengths, ...nothing, shown(begin)),
    title,
    extra,
  ]);
}

function buildEndRecord(directory: readonly Buffer[], offset: number, limits: ZipLimits): Buffer {
  const count = directory.length;
  const length = directory.reduce((sum, entry) => sum + entry.length, 0);
  const isLarge = count >= limits.count || length >= limits.size || offset >= limits.size;
  const files = isLarge ? zip64Limits.count : count;
  const end = packNumbers(
    ...([
      [4, 0x06054b50],
      [2, 0],
      [2, 0],
      [2, files],
      [2, files],
    ] satisfies PackedNumber[]),
    ...([
      [4, isLarge ? zip64Limits.size : length],
      [4, isLarge ? zip64Limits.size : offset],
      [2, 0],
    ] satisfies PackedNumber[]),
  );
  if (!isLarge) return end;
  const rest: PackedNumber[] = [
    [2, version.zip64],
    [2, version.zip64],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, length],
    [8, offset],
  ];
  const end64 = packNumbers([4, 0x06064b50], [8, 44], ...rest);
  const locator = packNumbers([4, 0x07064b50], [4, 0], [8, offset + length], [4, 1]);
  return Buffer.concat([end64, locator, end]);
}

async function* deflate(bytes: AsyncIterable<Buffer>, sum: { crc: number; size: number }): AsyncGenerator<Buffer> {
  const pack = createDeflateRaw({ level: constants.Z_BEST_SPEED });
  let resume = () => {};
  for (const event of ["drain", "close"]) pack.on(event, () => resume());
  const feed = async () => {
    for await (const chunk of bytes) {
      sum.crc = crc32(chunk, sum.crc);
      sum.size += chunk.length;
      if (!pack.write(chunk) && !pack.destroyed)
        await new Promise<void>((next) => {
          resume = next;
        });
      if (pack.destroyed) return;
    }
    pack.end();
  };
  const fed = feed().catch((error: Error) => void pack.destroy(error));
  try {
    yield* pack as AsyncIterable<Buffer>;
  } finally {
    // The reader may have stopped early: the source must end first, because it may hold a file or a cursor.
    pack.destroy();
    await fed;
  }
}
