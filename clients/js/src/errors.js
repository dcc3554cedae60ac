// What can go wrong, by kind. No message repeats a person's value: it names its place and what is accepted.

class Named extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The terms are no campaign that this version knows, or have another id than expected. */
export class CampaignError extends Named {}

/** An argument that everybody may know is wrong: how many features there are, which levels are offered. */
export class ArgumentError extends Named {}

/** A value is out of its range, and the person chose to refuse rather than to clip. */
export class OutOfRangeError extends Named {}

/** Bytes that no device of the campaign could have sent. */
export class WireError extends Named {}

/** The answer would cost more than the person's cap leaves; nothing was kept. */
export class BudgetExceededError extends Named {}

/** The person said, earlier, that this campaign is not to be answered: opted out, forgotten or withdrawn. */
export class NotAnsweredError extends Named {}

/** What is kept on the device cannot be read, or cannot be written. */
export class StoreError extends Named {}

/** The server refused, or could not be reached: `status` is its answer, null if there was none. */
export class SendError extends Named {
  constructor(why, status = null, options) {
    super(status === null ? why : `${status}: ${why}`, options);
    this.status = status;
    this.why = why;
  }
}
