/** A question that a campaign may ask. */
export type Question = "features" | "label" | "lists";
export const QUESTIONS: readonly Question[];

/** The level that is taken of each question that is answered; 0 is the most private. */
export type Levels = { readonly [question in Question]?: number };

/** A mechanism as a campaign offers it at one level. */
export interface Mechanism {
  readonly mechanism:
    "multi-bit" | "one-bit" | "laplace" | "gaussian" | "randomized-response" | "neighbor-lists";
  /** The budget; Infinity means that nothing is randomised. */
  readonly epsilon: number;
  readonly delta: number;
}

/** A mechanism for features. */
export interface FeatureMechanism extends Mechanism {
  readonly low: number;
  readonly high: number;
  readonly clip: boolean;
  readonly dimensions: number;
  /** Whether it answers with signs rather than numbers. */
  readonly signs: boolean;
  /** How many features it answers. */
  readonly answered: number;
  /** Between which numbers a report lies. */
  readonly reach: readonly [number, number];
}

/** What somebody is promised: the price of everything that they send. */
export interface Promised {
  readonly epsilon: number;
  readonly delta: number;
  readonly parts: readonly {
    readonly question: Question;
    readonly level: number;
    readonly epsilon: number;
    readonly delta: number;
  }[];
  /** The ε of one friendship, which the other end may report too; null where no lists are asked for. */
  readonly friendship: number | null;
}

/** What devices and server agree on before anybody answers: public, immutable, known by its id. */
export class Campaign {
  private constructor();
  /** The campaign with these terms; refused if their SHA-256 is not the id, or if anything in them is unknown. */
  static fromTerms(text: string, expectedId: string): Promise<Campaign>;
  readonly id: string;
  readonly name: string;
  readonly classes: readonly string[];
  readonly numFeatures: number;
  readonly featureNames: readonly string[] | null;
  /** The range of each feature; null where all have the mechanism's own. */
  readonly ranges: readonly (readonly [number, number])[] | null;
  readonly numPeople: number | null;
  readonly rangesFromData: boolean;
  readonly classesFromData: boolean;
  readonly asked: readonly Question[];
  /** What a feature that is no number counts as. */
  readonly midpoint: number;
  levels(question: "features"): readonly FeatureMechanism[];
  levels(question: Question): readonly Mechanism[];
  promise(taken: Levels): Promised;
}

type Numbers =
  | readonly unknown[]
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array;

/** What a person holds; what is null or undefined is not answered. */
export interface Held {
  /** A number for each feature; what is no number counts as the middle of its range. */
  features?: Numbers | null;
  /** The number or the name of a class; what is neither counts as one drawn at random. */
  label?: string | number | bigint | boolean | null;
  /** Numbers of people, or a yes or no for everybody. */
  friends?: Numbers | null;
}

/** Where words of 64 bits come from; one of your own makes reports say that they are simulated. */
export interface RandomSource {
  words(count: number): BigUint64Array;
}

/** What becomes of a value that the campaign does not know. */
export type OutOfRange = "clip" | "refuse";

/** The bytes of one report. Answer once: Reporter sees to that, and this does not. */
export function randomized(
  campaign: Campaign,
  person: number,
  held: Held,
  options?: { levels?: Levels; outOfRange?: OutOfRange; random?: RandomSource },
): Promise<Uint8Array>;

/** A report as plain values. */
export interface Report {
  person: number;
  simulated: boolean;
  answers: {
    features?: { level: number; signs: Int8Array } | { level: number; values: Float32Array };
    label?: { level: number; label: number };
    lists?: { level: number; names: number[] };
  };
}

/** The bytes of a report (docs/wire.md). */
export function encode(campaign: Campaign, report: Report): Uint8Array;
/** The report that bytes hold; a WireError says why they are none, and repeats nothing of them. */
export function decode(campaign: Campaign, bytes: Uint8Array): Report;

/** A part of a report: the bytes from `from` to before `to`, and what they say in words. */
export interface Part {
  from: number;
  to: number;
  what: string;
}
/** What each byte of a report says, in order and without gaps. */
export function explain(campaign: Campaign, bytes: Uint8Array): Promise<Part[]>;

/** The features that a person is asked: m of so many, by the public rule of docs/wire.md. */
export function publicColumns(
  campaignId: string,
  person: number,
  dimensions: number,
  m: number,
): Promise<number[]>;

/** One thing that the device remembers. */
export interface Entry {
  kind: "answer" | "opt-out" | "sent" | "withdrawn" | "forgotten";
  campaignId: string;
  campaignName: string;
  at: string;
  person?: number;
  bytes?: Uint8Array | null;
  epsilon?: number;
  delta?: number;
  number?: number;
}

/** Where entries are kept, in order and for good. */
export interface Store {
  entries(): Promise<Entry[]>;
  /** Adds what `decide` makes of all entries, if anything, with nobody writing in between; all entries after. */
  append(decide: (entries: Entry[]) => Entry | null): Promise<Entry[]>;
  /** Deletes the bytes of one entry. */
  erase(number: number): Promise<void>;
}

/** The store of this origin, in IndexedDB. */
export function openStore(name?: string): Promise<Store & { close(): void }>;

export type State = "answered" | "sent" | "withdrawn" | "forgotten" | "opted-out";

/** What the device answered to a campaign. */
export interface Answered {
  campaignId: string;
  campaignName: string;
  person: number | null;
  /** The bytes that leave, and no others do; null where there are none any more. */
  bytes: Uint8Array | null;
  epsilon: number;
  delta: number;
  /** When, in ISO 8601. */
  at: string;
  state: State;
}

/** Answers each campaign once, within the person's own cap, and remembers what it answered. */
export class Reporter {
  constructor(options: {
    store: Store;
    /** What the person may spend in all. */
    epsilon: number;
    delta?: number;
    outOfRange?: OutOfRange;
    random?: RandomSource;
    /** Allows http to other machines than this one. */
    insecure?: boolean;
    /** Milliseconds until an attempt is given up; how many there are; the first pause between them, and the longest. */
    timeout?: number;
    attempts?: number;
    pause?: number;
    longestPause?: number;
    fetch?: typeof fetch;
  });
  readonly cap: { readonly epsilon: number; readonly delta: number };
  readonly outOfRange: OutOfRange;
  /** The answer that was given, or a new one, which is on disk before it is returned. */
  answer(campaign: Campaign, person: number, held: Held, options?: { levels?: Levels }): Promise<Answered>;
  /** Sends the stored bytes, and nothing else. */
  send(campaignId: string, server: string, token: string): Promise<Answered>;
  /** Has the collector delete the report. The price stays. */
  withdraw(campaignId: string, server: string, token: string): Promise<Answered>;
  /** Deletes the bytes kept here. The price stays, and there will be no second answer. */
  forget(campaignId: string): Promise<Answered>;
  /** Never answers the campaign. */
  optOut(campaign: Campaign): Promise<Answered>;
  /** What was answered or opted out of, the oldest first. */
  records(): Promise<Answered[]>;
  spent(): Promise<{ epsilon: number; delta: number }>;
}

/** The terms are no campaign that this version knows, or have another id than expected. */
export class CampaignError extends Error {}
/** An argument that everybody may know is wrong. */
export class ArgumentError extends Error {}
/** A value is out of its range, and the person chose to refuse. */
export class OutOfRangeError extends Error {}
/** Bytes that no device of the campaign could have sent. */
export class WireError extends Error {}
/** The answer would cost more than the cap leaves; nothing was kept. */
export class BudgetExceededError extends Error {}
/** The campaign is not answered: opted out, forgotten, withdrawn, or never asked. */
export class NotAnsweredError extends Error {}
/** What is kept on the device cannot be read or written. */
export class StoreError extends Error {}
/** The collector refused, or could not be reached. */
export class SendError extends Error {
  /** Its answer; null if there was none. */
  readonly status: number | null;
  readonly why: string;
}
