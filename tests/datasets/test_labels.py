import pytest

from hushgraph.datasets.labels import number_labels


def test_words_are_numbered_in_sorted_order():
    numbered = number_labels(["pear", "apple", "fig", "apple"], "labels")
    assert (numbered.numbers.tolist(), numbered.classes) == ([2, 0, 1, 0], ("apple", "fig", "pear"))
    assert numbered.from_data


def test_codes_are_compacted_by_size_also_as_text_or_float_and_keep_their_names():
    for values in ([0, 30, -1], ["0", "30", "-1"], [0.0, 30.0, None], [0.0, 30.0, float("nan")]):
        numbered = number_labels([*values, 0, 4], "labels")
        assert (numbered.numbers.tolist(), numbered.classes) == ([0, 2, -1, 0, 1], ("0", "4", "30"))


def test_a_code_is_written_in_one_way_and_all_else_is_a_word():
    numbered = number_labels(["01", "1", "1_0", "10", "٣"], "labels")
    assert sorted(numbered.classes) == sorted(["01", "1", "1_0", "10", "٣"])
    assert number_labels(["0.0", "10.0", "9.0"], "labels").classes == ("0", "9", "10")
    assert number_labels(["1.0", "x", "2"], "labels").classes == ("1.0", "2", "x")
    padded = number_labels(["01", "02", "-1"], "labels", classes=["02", "01"])
    assert (padded.numbers.tolist(), padded.classes) == ([1, 0, -1], ("02", "01"))
    listed = number_labels([-1, 0, 1], "labels", classes=["-1", "0", "1"])
    assert listed.numbers.tolist() == [0, 1, 2]


def test_a_public_list_of_classes_wins_and_may_hold_more_than_anybody_has():
    numbered = number_labels(["dog", None, "dog"], "labels", classes=["eel", "dog", "cat"])
    assert (numbered.numbers.tolist(), numbered.classes) == ([1, -1, 1], ("eel", "dog", "cat"))
    assert not numbered.from_data
    with pytest.raises(ValueError, match="labels name 1 classes that are not in the list") as caught:
        number_labels(["secret", "cat"], "labels", classes=["cat", "dog"])
    assert "secret" not in str(caught.value)


def test_no_label_at_all_is_minus_one_for_everybody():
    numbered = number_labels([None, "", float("nan")], "labels")
    assert (numbered.numbers.tolist(), numbered.classes) == ([-1, -1, -1], ())


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ([0.5, 1.0, 0.0], "fractions"),
        ([0, 1, -2], "codes from 0 on"),
        (["7", "3.5"], "fractions"),
        (["secret", ("a", "b")], "mixture"),
        ([True, False], "mixture"),
    ],
)
def test_other_labels_are_refused_without_repeating_one(values, complaint):
    with pytest.raises(ValueError, match=complaint) as caught:
        number_labels(values, "the labels in f.csv")
    assert "f.csv" in str(caught.value)
    assert "secret" not in str(caught.value)
