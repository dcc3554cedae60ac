/** What went wrong, in plain words. */

const BY_STATUS = {
  401: "The server does not accept this administrator token.",
  403: "The server does not allow this.",
  404: "There is no such campaign on this server. Look whether the address is complete.",
  409: "This is not possible in the state that the campaign is in.",
  429: "The server is busy. Wait a moment and try again.",
};

/** A sentence for whatever was thrown. */
export function trouble(error) {
  if (error.status in BY_STATUS) return `${BY_STATUS[error.status]}${error.why ? ` (${error.why})` : ""}`;
  if (error.status >= 500) return "Something is wrong at the server. Its log says more.";
  return error instanceof TypeError ? "The server cannot be reached." : `This did not work: ${error.message}`;
}
