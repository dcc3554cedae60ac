"""Bugs in what a collector keeps, acknowledges and tells, for :mod:`tests.planted`."""

from __future__ import annotations

from tests.bug import Bug

ROUNDS, PEOPLE, REPORTS = "collector/rounds.py", "collector/people.py", "collector/routes/reports.py"
ON_REPORTS, ON_PRIVATE = "tests/collector/test_reports.py", "tests/collector/test_nothing_private.py"
ON_PROTECTION, ON_TOKENS = "tests/collector/test_protection.py", "tests/collector/test_tokens.py"

BUGS = [
    Bug("another second report is acknowledged", ROUNDS, "AGAIN if kept[person] == body else ANOTHER_KEPT",
        "AGAIN", f"{ON_REPORTS}::test_a_different_second_report_is_refused_and_the_first_is_kept[sqlite]"),
    Bug("what is closed takes reports", ROUNDS, "elif not is_open:", "elif False:",
        f"{ON_REPORTS}::test_nothing_is_taken_before_opening_or_after_closing[sqlite]"),
    Bug("any token is good", ROUNDS, "not hmac.compare_digest(expected, digest)", "False",
        f"{ON_REPORTS}::test_wrong_tokens_of_all_kinds_are_refused_alike[sqlite]"),
    Bug("a token is good for everybody", REPORTS, "person != shown.person", "False",
        f"{ON_REPORTS}::test_a_token_is_for_one_person[sqlite]"),
    Bug("tokens never end", ROUNDS, "expires is not None and expires <= now", "False",
        f"{ON_REPORTS}::test_wrong_tokens_of_all_kinds_are_refused_alike[sqlite]"),
    Bug("a token is kept as it is", "collector/tokens.py",
        'return hashlib.sha256(_PURPOSE + campaign + person.to_bytes(8, "little") + secret).digest()',
        "return secret + secret", f"{ON_TOKENS}::test_only_a_hash_of_a_token_is_kept"),
    Bug("a withdrawn report stays", PEOPLE,
        "connection.execute(update(reports).where(*mine).values(body=None))",
        "update(reports).where(*mine)",
        f"{ON_REPORTS}::test_what_was_withdrawn_is_gone_for_good[sqlite-False]"),
    Bug("a withdrawn report is still in the file", "collector/database.py", "secure_delete = ON",
        "secure_delete = OFF", f"{ON_PRIVATE}::test_a_withdrawn_report_is_in_no_file"),
    Bug("a withdrawn report is still in the journal", REPORTS, "await request.app.state.eraser.erase()",
        "pass", f"{ON_PRIVATE}::test_a_withdrawn_report_is_in_no_file"),
    Bug("logs have what was asked for", "collector/observed.py",
        'logs.event("request", method=method, route=route,',
        'logs.event("request", method=method, route=scope["path"],',
        f"{ON_PROTECTION}::test_a_log_line_says_what_was_asked_and_nothing_else"),
    Bug("logs have the words of errors", "collector/logs.py", '"error": type(error).__name__',
        '"error": repr(error)', f"{ON_PROTECTION}::test_an_error_is_logged_by_its_type_and_place_alone"),
    Bug("what could not be written is acknowledged", "collector/writer.py",
        'answer.set_exception(busy("it could not be written: send it again"))',
        "answer.set_result([201] * len(one.submission.people))",
        "tests/collector/test_writer.py::test_a_commit_that_fails_acknowledges_nothing[sqlite]"),
]  # fmt: skip
