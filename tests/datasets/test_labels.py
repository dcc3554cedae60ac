import pytest

from hushgraph.datasets.labels import number_labels


def test_words_are_numbered_in_sorted_order():
    assert number_labels(["pear", "apple", "fig", "apple"], "labels").tolist() == [2, 0, 1, 0]


def test_whole_numbers_stay_what_they_are_also_as_text_or_float():
    for values in ([0, 3, -1], ["0", "3", "-1"], [0.0, 3.0, None], [0.0, 3.0, float("nan")]):
        assert number_labels([*values, 0], "labels").tolist() == [0, 3, -1, 0]


def test_no_label_at_all_is_minus_one_for_everybody():
    assert number_labels([None, "", float("nan")], "labels").tolist() == [-1, -1, -1]


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ([0.5, 1.0, 0.0], "fractions"),
        ([0, 1, -2], "class numbers from 0 to 2"),
        ([0, 1, 70_000_123], "from 0 to 2"),
        (["secret", 3.5, ("a", "b")], "mixture"),
    ],
)
def test_other_labels_are_refused_without_repeating_one(values, complaint):
    with pytest.raises(ValueError, match=complaint) as caught:
        number_labels(values, "the labels in f.csv")
    assert "f.csv" in str(caught.value)
    assert "secret" not in str(caught.value)
