// hushgraph on a person's device: answers campaigns once, randomised before anything leaves.

export { Campaign, QUESTIONS } from "./collection/campaign.js";
export { explain } from "./collection/explain.js";
export { publicColumns } from "./collection/public_columns.js";
export { decode, encode } from "./collection/wire.js";
export { randomized } from "./device/answering.js";
export { openStore } from "./device/indexed_db.js";
export { Reporter } from "./device/reporter.js";
export {
  ArgumentError,
  BudgetExceededError,
  CampaignError,
  NotAnsweredError,
  OutOfRangeError,
  SendError,
  StoreError,
  WireError,
} from "./errors.js";
