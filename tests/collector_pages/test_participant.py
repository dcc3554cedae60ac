"""Somebody who is asked: sees what leaves before it does, answers once, and can take it back."""

from __future__ import annotations

import pytest
from tests.collector_pages.visits import press, randomise, send, shown_bytes

import hushgraph as hg
from hushgraph.collection.wire import Wire

pytestmark = pytest.mark.slow


def title(page):
    return page.locator("#stage-title").inner_text()


def test_what_is_shown_is_what_the_server_gets(visits, asked):
    page = visits.participant(asked.link(7))
    shown = randomise(page)
    assert asked.kept(7) is None
    send(page)
    assert asked.kept(7) == shown
    report = Wire(asked.campaign).decode(shown)
    assert report.person == 7
    assert set(report.answers) == {"features", "label"}


def test_the_token_is_in_the_address_bar_no_more(visits, asked):
    page = visits.participant(asked.link(7))
    assert "#" not in page.url
    assert "token" not in page.url
    page.reload()
    page.locator("#stage-title").wait_for()
    assert title(page) == "Your answer"


def test_terms_are_told_in_words(visits, asked):
    text = visits.participant(asked.link(7)).locator("main").inner_text()
    assert asked.campaign.name in text
    assert "3 numbers" in text
    assert "which of 3 groups you belong to" in text
    # e to the power of 0.5, 1 and 2, rounded up.
    for odds in ("1.65 to 1", "2.72 to 1", "7.39 to 1"):
        assert odds in text
    assert "That you take part" in text
    assert "Which level of privacy you choose" in text


def test_a_reload_shows_the_same_bytes(visits, asked):
    page = visits.participant(asked.link(7))
    first = randomise(page)
    page.reload()
    assert shown_bytes(page) == first
    send(page)
    page.reload()
    assert title(page) == "Your answer is sent"
    assert shown_bytes(page) == first


def test_two_tabs_at_once_give_one_answer(visits, asked):
    device = visits.device()
    tabs = [visits.participant(asked.link(7), device) for _ in range(2)]
    for tab in tabs:
        tab.get_by_label("Xylophone", exact=True).check()
    # Both at the same moment, without waiting for either.
    for tab in tabs:
        tab.evaluate("setTimeout(() => document.querySelector('form').requestSubmit(), 200)")
    first, second = (shown_bytes(tab) for tab in tabs)
    assert first == second
    send(tabs[0])
    tabs[1].get_by_role("heading", name="Your answer is sent").wait_for()
    assert asked.kept(7) == first


def test_a_tab_that_knows_no_better_gets_the_first_answer(visits, asked):
    device = visits.device()
    late = visits.participant(asked.link(7), device)
    # This tab does not hear of others.
    late.evaluate("BroadcastChannel.prototype.dispatchEvent = () => true")
    early = visits.participant(asked.link(7), device)
    first = randomise(early, "Painting")
    late.get_by_role("heading", name="Look at it before it leaves").wait_for()
    assert shown_bytes(late) == first


def test_levels_are_the_persons_choice(visits, asked):
    page = visits.participant(asked.link(9))
    page.get_by_label("ε = 2: odds of at most 7.39 to 1").nth(1).check()
    answers = Wire(asked.campaign).decode(randomise(page)).answers
    assert {question: answer.level for question, answer in answers.items()} == {"features": 0, "label": 1}


def test_a_question_can_be_left_out(visits, asked):
    page = visits.participant(asked.link(9))
    page.get_by_role("region", name="Numbers about you").get_by_label("I answer this").uncheck()
    assert set(Wire(asked.campaign).decode(randomise(page)).answers) == {"label"}


def test_an_answer_beyond_the_persons_own_limit_is_not_drawn(visits, asked):
    page = visits.participant(asked.link(7))
    page.get_by_label("Your limit").fill("1.25")
    assert "more than your limit" in page.locator(".price").inner_text()
    page.get_by_label("Xylophone", exact=True).check()
    page.get_by_role("button", name="Randomise my answer").click()
    assert "more than your limit" in page.get_by_role("alert").inner_text()
    assert page.locator("#report-bytes").count() == 0
    assert page.get_by_label("Your limit").get_attribute("aria-invalid") == "true"
    page.get_by_label("Your limit").fill("1.5")
    page.get_by_role("button", name="Randomise my answer").click()
    assert shown_bytes(page)


def test_the_ledger_adds_up_over_campaigns(visits, asked, large):
    device = visits.device()
    randomise(visits.participant(asked.link(7), device))
    page = visits.participant(large.link(7), device)
    assert "ε = 1.5 is spent already" in page.locator(".price").inner_text()
    ledger = page.get_by_role("region", name="What was spent on what")
    assert asked.campaign.name in ledger.inner_text()
    assert ledger.get_by_role("row").last.inner_text().split() == ["In", "all", "1.5"]


def test_a_withdrawn_answer_is_gone_and_stays_gone(visits, asked):
    page = visits.participant(asked.link(7))
    randomise(page)
    send(page)
    page.get_by_role("button", name="Withdraw my answer").click()
    page.keyboard.press("Escape")
    assert asked.kept(7) is not None
    press(page, "Withdraw my answer", "Withdraw it")
    page.get_by_role("heading", name="Your answer is withdrawn").wait_for()
    assert asked.kept(7) is None
    page.reload()
    assert title(page) == "Your answer is withdrawn"
    assert page.get_by_role("button", name="Randomise my answer").count() == 0
    # Neither on another device.
    other = visits.participant(asked.link(7))
    assert title(other) == "The answer was withdrawn"


def test_a_second_device_cannot_answer_anew_and_says_why(visits, asked):
    page = visits.participant(asked.link(7))
    randomise(page)
    send(page)
    other = visits.participant(asked.link(7))
    assert title(other) == "An answer was given already"
    assert "There can be only one" in other.locator("#stage").inner_text()
    assert other.get_by_role("button", name="Randomise my answer").count() == 0
    press(other, "Withdraw the answer", "Withdraw it")
    other.get_by_role("heading", name="Your answer is withdrawn").wait_for()
    assert asked.kept(7) is None


def test_what_is_deleted_here_is_not_answered_again(visits, asked):
    page = visits.participant(asked.link(7))
    randomise(page)
    press(page, "Delete what this device keeps", "Delete it")
    page.get_by_role("heading", name="Your answer is deleted here").wait_for()
    assert "1.5" in page.get_by_role("region", name="What was spent on what").inner_text()
    page.reload()
    assert title(page) == "Your answer is deleted here"


def test_who_does_not_take_part_is_not_asked_again(visits, asked):
    page = visits.participant(asked.link(7))
    press(page, "Do not take part", "Do not take part")
    page.get_by_role("heading", name="You do not take part").wait_for()
    page.reload()
    assert title(page) == "You do not take part"
    assert asked.kept(7) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda link: link.partition("#")[0], "Open this page by your own link"),
        (lambda link: link[:-4] + "AAAA", "This link does not work here"),
        (lambda link: link.partition("#")[0] + "#token=nonsense", "This link does not work here"),
    ],
)
def test_a_link_that_is_not_whole_is_told_apart(visits, asked, change, said):
    assert title(visits.participant(change(asked.link(7)))) == said


@pytest.mark.parametrize("start", ["", "#token=nonsense"])
@pytest.mark.parametrize("whole", [True, False], ids=["link", "token"])
def test_a_token_can_be_given_without_a_link(visits, asked, start, whole):
    page = visits.participant(asked.link(7).partition("#")[0] + start)
    field = page.get_by_label("Your token")
    assert [field.get_attribute(name) for name in ("type", "autocomplete")] == ["password", "off"]
    field.fill(f" {asked.link(7) if whole else asked.tokens[7]}")
    page.get_by_role("button", name="Use this token").click()
    page.get_by_role("heading", name="Your answer", exact=True).wait_for()
    shown = randomise(page)
    send(page)
    assert asked.kept(7) == shown
    # A tab keeps it only until it is closed.
    later = visits.participant(page.url, page.context)
    assert title(later) == "Your answer is sent"
    later.get_by_label("Your token").fill(asked.tokens[7])
    later.get_by_role("button", name="Use this token").click()
    press(later, "Withdraw my answer", "Withdraw it")
    later.get_by_role("heading", name="Your answer is withdrawn").wait_for()
    assert asked.kept(7) is None


def test_the_page_says_who_can_use_a_link(visits, asked):
    text = visits.participant(asked.link(7)).locator("main").inner_text()
    assert "this browser’s history keeps it" in text
    assert "whoever has it can answer, read your answer or withdraw it as you" in text


@pytest.mark.parametrize(("opened", "said"), [(False, "has not started"), (True, "is over")])
def test_a_campaign_takes_answers_only_while_it_is_open(visits, collector, opened, said):
    asked = collector.campaign(classes=["a", "b"], labels=hg.RandomizedResponse(1.0), opened=opened)
    if opened:
        collector.ask("POST", f"{asked.path}/close")
    assert said in title(visits.participant(asked.link(3)))


def test_an_answer_that_comes_too_late_stays_here_and_says_so(visits, asked):
    page = visits.participant(asked.link(7))
    first = randomise(page)
    asked.collector.ask("POST", f"{asked.path}/close")
    page.get_by_role("button", name="Send").click()
    page.get_by_role("alert").filter(has_text="not open").wait_for()
    assert shown_bytes(page) == first


def test_terms_that_the_link_does_not_name_are_refused(visits, asked):
    device = visits.device()
    changed = asked.campaign.to_json().replace('"epsilon":2', '"epsilon":9')
    device.route("**/terms", lambda route: route.fulfill(status=200, body=changed))
    page = visits.participant(asked.link(7), device)
    assert "not what your link stands for" in page.locator("main").inner_text()
    assert page.get_by_role("button", name="Randomise my answer").count() == 0


def test_numbers_outside_their_range_are_told_or_counted_as_the_end(visits, asked):
    page = visits.participant(asked.link(7))
    field = page.get_by_label("hours outside")
    field.fill("31")
    page.get_by_label("Xylophone", exact=True).check()
    page.get_by_role("button", name="Randomise my answer").click()
    alert = page.get_by_role("alert")
    assert "\u2068hours outside\u2069: its range is 0 to 24" in alert.inner_text()
    assert "31" not in alert.inner_text()
    assert field.evaluate("input => input === document.activeElement")
    page.get_by_label("Count a number outside its range").check()
    page.get_by_role("button", name="Randomise my answer").click()
    assert shown_bytes(page)


def test_many_numbers_and_friends_can_be_pasted(visits, large):
    page = visits.participant(large.link(7))
    assert page.locator(".number-field").count() == 20
    box = page.get_by_label("All 30 numbers, separated by commas")
    box.fill(", ".join(["0.25"] * 29))
    assert page.locator(".tally").first.inner_text() == "29 of 30 numbers."
    page.get_by_label("Which one is yours?").select_option("class 11")
    page.get_by_label("Numbers of your friends").fill("1, 2, 99")
    page.get_by_label("Your limit").fill("20")
    page.get_by_role("button", name="Randomise my answer").click()
    alert = page.get_by_role("alert").inner_text()
    assert "30 numbers are asked for, and 29 are in the box" in alert
    assert "look at the 3rd of yours" in alert
    box.fill(", ".join(["0.25"] * 30))
    assert page.get_by_label("Feature 19", exact=True).input_value() == "0.25"
    page.get_by_label("Numbers of your friends").fill("1, 2, 9")
    page.get_by_role("button", name="Randomise my answer").click()
    report = Wire(large.campaign).decode(shown_bytes(page))
    assert set(report.answers) == {"features", "label", "lists"}
