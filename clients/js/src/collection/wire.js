// What leaves a device, byte by byte (docs/wire.md): written, and read as strictly as a server does.

import { WireError } from "../errors.js";
import { fromHexadecimal } from "./sha256.js";
import { readVarint, writeVarint } from "./varint.js";

const VERSION = 1;
const BITS = { features: 1, label: 2, lists: 4 };
const SIMULATED = 8;

/** The bytes of a report: {person, simulated, answers by question}. */
export function encode(campaign, { person, simulated, answers }) {
  const questions = Object.keys(BITS).filter((question) => question in answers);
  const head = questions.reduce((bits, question) => bits | BITS[question], simulated ? SIMULATED : 0);
  const bytes = [head | (VERSION << 4), ...fromHexadecimal(campaign.id.slice(0, 8))];
  writeVarint(person, bytes);
  for (const question of questions) {
    const answer = answers[question];
    if (campaign.levels(question).length > 1) writeVarint(answer.level, bytes);
    WRITTEN[question](answer, bytes);
  }
  const written = Uint8Array.from(bytes);
  // What a server would refuse is noticed before it is kept.
  decode(campaign, written);
  return written;
}

const WRITTEN = {
  features(answer, bytes) {
    if (answer.signs) writeSigns(answer.signs, bytes);
    else writeNumbers(answer.values, bytes);
  },
  label(answer, bytes) {
    writeVarint(answer.label, bytes);
  },
  lists(answer, bytes) {
    writeVarint(answer.names.length, bytes);
    answer.names.forEach((name, place) => {
      writeVarint(place === 0 ? name : name - answer.names[place - 1] - 1, bytes);
    });
  },
};

function writeSigns(signs, bytes) {
  for (let start = 0; start < signs.length; start += 8) {
    let byte = 0;
    for (let bit = 0; bit < 8 && start + bit < signs.length; bit++)
      if (signs[start + bit] > 0) byte |= 1 << bit;
    bytes.push(byte);
  }
}

function writeNumbers(values, bytes) {
  const view = new DataView(new ArrayBuffer(4));
  for (const value of values) {
    view.setFloat32(0, value, true);
    for (let place = 0; place < 4; place++) bytes.push(view.getUint8(place));
  }
}

/** The report that bytes hold; what no device of the campaign could have sent is a WireError. */
export function decode(campaign, bytes) {
  return decodeWithPlaces(campaign, bytes).report;
}

/** The report, and where each part of it stands: {from, to, part, question}. */
export function decodeWithPlaces(campaign, bytes) {
  const reader = new Reader(bytes);
  const head = reader.bytes(1, "head")[0];
  if (head >> 4 !== VERSION) throw new WireError(`its version is not ${VERSION}`);
  const expected = fromHexadecimal(campaign.id.slice(0, 8));
  if (reader.bytes(4, "campaign").some((byte, place) => byte !== expected[place])) {
    throw new WireError("it answers another campaign");
  }
  const person = reader.varint("person");
  if (campaign.numPeople !== null && person >= campaign.numPeople) {
    throw new WireError(`people are numbered 0 to ${campaign.numPeople - 1}`);
  }
  const answers = {};
  for (const question of Object.keys(BITS)) {
    if (head & BITS[question]) answers[question] = readAnswer(campaign, question, person, reader);
  }
  if (Object.keys(answers).length === 0) throw new WireError("it answers nothing");
  if (reader.place < bytes.length) throw new WireError("something follows its end");
  return { report: { person, simulated: (head & SIMULATED) > 0, answers }, places: reader.places };
}

function readAnswer(campaign, question, person, reader) {
  const offered = campaign.levels(question);
  reader.question = question;
  if (offered.length === 0)
    throw new WireError(`it answers ${question}, which the campaign does not ask for`);
  const level = offered.length > 1 ? reader.varint("level") : 0;
  if (level >= offered.length)
    throw new WireError(`the level of ${question} must lie in 0 … ${offered.length - 1}`);
  return { level, ...READ[question](offered[level], campaign, person, reader) };
}

const READ = {
  features(mechanism, campaign, person, reader) {
    return mechanism.signs ? readSigns(mechanism.answered, reader) : readNumbers(mechanism, reader);
  },
  label(mechanism, campaign, person, reader) {
    const label = reader.varint("label");
    if (label >= campaign.classes.length) {
      throw new WireError(`label must lie in 0 … ${campaign.classes.length - 1}`);
    }
    return { label };
  },
  lists(mechanism, campaign, person, reader) {
    const count = reader.varint("count");
    if (count >= campaign.numPeople) throw new WireError("a list has more names than there are others");
    const names = [];
    for (let before = -1; names.length < count; before = names.at(-1)) {
      const name = before + 1 + reader.varint("name");
      if (name >= campaign.numPeople) throw new WireError(`names must lie in 0 … ${campaign.numPeople - 1}`);
      if (name === person) throw new WireError("a list must not name its own person");
      names.push(name);
    }
    return { names };
  },
};

function readSigns(count, reader) {
  const bytes = reader.bytes(Math.ceil(count / 8), "signs");
  if (count % 8 && bytes.at(-1) >> (count % 8)) throw new WireError("bits that stand for nothing must be 0");
  return {
    signs: Int8Array.from({ length: count }, (_, place) => ((bytes[place >> 3] >> (place & 7)) & 1 ? 1 : -1)),
  };
}

function readNumbers(mechanism, reader) {
  const bytes = reader.bytes(4 * mechanism.dimensions, "values");
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const values = Float32Array.from({ length: mechanism.dimensions }, (_, place) =>
    view.getFloat32(4 * place, true),
  );
  // What a device rounded to single precision is compared with ends that were rounded so.
  const [low, high] = mechanism.reach.map(Math.fround);
  if (!values.every((value) => value >= low && value <= high && Number.isFinite(value))) {
    throw new WireError(`values must be finite and lie in [${low}, ${high}]`);
  }
  // 0 has one form; the sign of another would say something of the person.
  if (values.some((value) => Object.is(value, -0))) throw new WireError("values must not be -0");
  return { values };
}

class Reader {
  constructor(bytes) {
    if (!(bytes instanceof Uint8Array)) throw new WireError("it is not bytes");
    this.given = bytes;
    this.place = 0;
    this.question = null;
    this.places = [];
  }

  bytes(count, part) {
    if (this.place + count > this.given.length) throw new WireError("it ends too early");
    const read = this.given.subarray(this.place, this.place + count);
    this.#passed(this.place + count, part);
    return read;
  }

  varint(part) {
    const [number, behind] = readVarint(this.given, this.place);
    this.#passed(behind, part);
    return number;
  }

  #passed(behind, part) {
    this.places.push({ from: this.place, to: behind, part, question: this.question });
    this.place = behind;
  }
}
