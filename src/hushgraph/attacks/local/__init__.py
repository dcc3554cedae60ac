"""Attacks on what people report, before anything is learned from it and after; and on those who learn."""

from hushgraph.attacks.local.campaign_card import ReportCard, report_card
from hushgraph.attacks.local.everything_else import LabelKnowledge, label_knowledge, without_reports
from hushgraph.attacks.local.feature_screens import equal_choices, impossible_signs, uneven_columns
from hushgraph.attacks.local.friendship_from_others import PairKnowledge, friendship_given_others
from hushgraph.attacks.local.label_screens import impossible_shares, surprising_groups, unexpected_shares
from hushgraph.attacks.local.one_friendship import FriendshipGuess, friendship_attack
from hushgraph.attacks.local.one_report import BestGuess, guess_feature, guess_label, guess_report
from hushgraph.attacks.local.poisoning import against_friends, lying, with_fakes
from hushgraph.attacks.local.screen import Screen
from hushgraph.attacks.local.several_answers import feature_after, label_after
from hushgraph.attacks.local.thinning import thinned

__all__ = [
    "BestGuess",
    "FriendshipGuess",
    "LabelKnowledge",
    "PairKnowledge",
    "ReportCard",
    "Screen",
    "against_friends",
    "equal_choices",
    "feature_after",
    "friendship_attack",
    "friendship_given_others",
    "guess_feature",
    "guess_label",
    "guess_report",
    "impossible_shares",
    "impossible_signs",
    "label_after",
    "label_knowledge",
    "lying",
    "report_card",
    "surprising_groups",
    "thinned",
    "uneven_columns",
    "unexpected_shares",
    "with_fakes",
    "without_reports",
]
