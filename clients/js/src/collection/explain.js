// What each byte of a report says, in words: for the person whose report it is.

import { isolated } from "./isolated.js";
import { publicColumns } from "./public_columns.js";
import { decodeWithPlaces } from "./wire.js";

const CALLED = { features: "features", label: "label", lists: "list of friends" };

/** Parts of a report, in order and without gaps: [{from, to, what}], `to` being the first byte behind. */
export async function explain(campaign, bytes) {
  const { report, places } = decodeWithPlaces(campaign, bytes);
  const told = { campaign, report, columns: await columnsOf(campaign, report), names: 0 };
  return places.flatMap(({ from, to, part, question }) => {
    const what = WORDS[part](told, question, from);
    if (!Array.isArray(what)) return [{ from, to, what }];
    const each = (to - from) / what.length;
    return what.map((one, place) => ({
      from: from + place * each,
      to: from + (place + 1) * each,
      what: one,
    }));
  });
}

/** What each part says; a list of texts stands for parts of equal length. */
const WORDS = {
  head({ report }) {
    const answered = Object.keys(report.answers)
      .map((question) => CALLED[question])
      .join(", ");
    return `a report of version 1 that answers: ${answered}${report.simulated ? "; simulated" : ""}`;
  },
  campaign: ({ campaign }) => `the beginning of the id of the campaign “${isolated(campaign.name)}”`,
  person: ({ report }) => `your number: ${report.person}`,
  level({ campaign, report }, question) {
    const { level } = report.answers[question];
    return `the level of privacy of your ${CALLED[question]}: ${level} (ε = ${campaign.levels(question)[level].epsilon})`;
  },
  signs({ campaign, report, columns }) {
    const { signs } = report.answers.features;
    const said = Array.from(
      signs,
      (sign, place) => `${featureName(campaign, columns[place])}: ${sign > 0 ? "high" : "low"}`,
    );
    return Array.from({ length: Math.ceil(said.length / 8) }, (_, byte) =>
      said.slice(8 * byte, 8 * byte + 8).join(", "),
    );
  },
  values({ campaign, report }) {
    const { level, values } = report.answers.features;
    return Array.from(values, (value, column) => {
      const shown = inOwnRange(campaign, level, column, value);
      return `${featureName(campaign, column)}: ${Number(shown.toPrecision(6))}`;
    });
  },
  label: ({ campaign, report }) => `the class that is sent: ${isolated(campaign.classes[report.answers.label.label])}`,
  count: ({ report }) => `how many people are named: ${report.answers.lists.names.length}`,
  name(told) {
    const { names } = told.report.answers.lists;
    const name = names[told.names++];
    return told.names === 1 ? `the first: person ${name}` : `the next: person ${name}`;
  },
};

function featureName(campaign, column) {
  return campaign.featureNames ? isolated(campaign.featureNames[column]) : `feature ${column}`;
}

/** A value that was mapped to the mechanism's range, as the person knows it. */
function inOwnRange(campaign, level, column, value) {
  if (!campaign.ranges) return value;
  const { low, high } = campaign.levels("features")[level];
  const [ownLow, ownHigh] = campaign.ranges[column];
  return ownLow + ((value - low) / (high - low)) * (ownHigh - ownLow);
}

async function columnsOf(campaign, report) {
  const { features } = report.answers;
  if (!features) return [];
  const { answered } = campaign.levels("features")[features.level];
  return publicColumns(campaign.id, report.person, campaign.numFeatures, answered);
}
