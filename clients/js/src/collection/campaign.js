// A campaign: what is asked of people, and what they are promised.

import * as check from "../checks.js";
import { CampaignError } from "../errors.js";
import { checkCanonical } from "./canonical.js";
import { levels } from "./mechanisms.js";
import { promiseOf } from "./promise.js";
import { hexadecimal, sha256 } from "./sha256.js";

/** The questions that a campaign may ask, in the order of a report. */
export const QUESTIONS = Object.freeze(["features", "label", "lists"]);
const FORMAT = 1;
const ENTRIES = [
  "classes",
  "classes_from_data",
  "feature_names",
  "features",
  "format",
  "labels",
  "lists",
  "name",
  "num_features",
  "num_people",
  "ranges",
  "ranges_from_data",
];

/** What devices and server agree on before anybody answers: public, immutable, known by its `id`. */
export class Campaign {
  #levels;

  /** Use `Campaign.fromTerms`, which checks that the terms are those of the id. */
  constructor(id, terms) {
    check.entries(terms, "it", ENTRIES);
    if (terms.format !== FORMAT) throw new RangeError(`it has another format than ${FORMAT}`);
    this.id = id;
    this.name = check.text(terms.name, "name");
    this.classes = check.names(terms.classes, "classes", 2);
    this.numFeatures = check.features(terms.num_features, "num_features");
    this.numPeople = terms.num_people === null ? null : check.count(terms.num_people, "num_people", 1);
    this.rangesFromData = check.yesOrNo(terms.ranges_from_data, "ranges_from_data");
    this.classesFromData = check.yesOrNo(terms.classes_from_data, "classes_from_data");
    if (check.list(terms.features, "features").length > 0) check.count(this.numFeatures, "num_features", 1);
    this.#levels = {
      features: levels(terms.features, "features", this.numFeatures),
      label: levels(terms.labels, "labels", this.classes.length),
      lists: levels(terms.lists, "lists", this.numPeople),
    };
    if (this.#levels.lists.length > 0 && this.numPeople === null) {
      throw new RangeError("num_people is needed where lists are asked for");
    }
    this.featureNames = featureNames(terms.feature_names, this.numFeatures);
    const [own] = this.#levels.features;
    if (this.#levels.features.some((one) => one.low !== own.low || one.high !== own.high)) {
      throw new RangeError("features must have one range (low, high) at all levels");
    }
    this.ranges = ranges(terms.ranges, this.numFeatures, own);
    this.asked = Object.freeze(QUESTIONS.filter((question) => this.#levels[question].length > 0));
    Object.freeze(this);
  }

  /** The campaign with these terms; refused if their SHA-256 is not the id, or if anything is unknown. */
  static async fromTerms(text, expectedId) {
    if (typeof expectedId !== "string" || !/^[0-9a-f]{64}$/.test(expectedId)) {
      throw new CampaignError("the id of a campaign is 64 hexadecimal digits");
    }
    let content;
    try {
      content = check.text(text, "it");
    } catch (error) {
      throw new CampaignError("this is no campaign: it is not text", { cause: error });
    }
    const id = hexadecimal(await sha256(new TextEncoder().encode(content)));
    if (id !== expectedId) throw new CampaignError(`the terms are those of ${id}, not of ${expectedId}`);
    try {
      const terms = JSON.parse(content);
      checkCanonical(content);
      return new Campaign(id, terms);
    } catch (error) {
      throw new CampaignError(`this is no campaign: ${error.message}`, { cause: error });
    }
  }

  /** The mechanisms of a question, by level; none if it is not asked. */
  levels(question) {
    if (!QUESTIONS.includes(question))
      throw new RangeError(`question must be one of ${QUESTIONS.join(", ")}`);
    return this.#levels[question];
  }

  /** What a feature that is no number counts as: the middle of the mechanism's range. */
  get midpoint() {
    const [own] = this.#levels.features;
    return own ? (own.low + own.high) / 2 : 0;
  }

  /** What somebody is promised who answers these questions at these levels. */
  promise(taken) {
    return promiseOf(this, taken);
  }
}

function featureNames(given, wanted) {
  if (given === null) return null;
  const read = check.names(given, "feature_names");
  if (read.length !== wanted) throw new RangeError(`feature_names must be ${wanted} names`);
  return read;
}

/** The range of each feature; null where all have the mechanism's own. */
function ranges(given, wanted, own) {
  if (given === null) return null;
  const read = check.list(given, "ranges").map((pair) => {
    if (check.list(pair, "a range").length !== 2) throw new RangeError("ranges must be pairs (low, high)");
    return Object.freeze(check.range(pair[0], pair[1]));
  });
  if (read.length !== wanted) throw new RangeError(`ranges must be ${wanted} pairs (low, high)`);
  const isOwn = own && read.every(([low, high]) => low === own.low && high === own.high);
  return isOwn ? null : Object.freeze(read);
}
