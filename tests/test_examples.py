"""Every layer and every mechanism shows in its docstring what it does; pytest runs these examples."""

from __future__ import annotations

import doctest
import importlib
import inspect

import pytest

ROOMS = ("hushgraph.nn", "hushgraph.denoise", "hushgraph.mechanisms")
PUBLIC = [
    pytest.param(value, id=f"{room}.{name}")
    for room in ROOMS
    for module in [importlib.import_module(room)]
    for name in module.__all__
    if inspect.isclass(value := getattr(module, name))
]


@pytest.mark.parametrize("kind", PUBLIC)
def test_a_public_class_has_an_example(kind):
    tests = doctest.DocTestFinder(recurse=False).find(kind, kind.__name__)
    assert any(test.examples for test in tests), f"the docstring of {kind.__name__} has no example"


def test_the_rooms_have_public_classes():
    assert len(PUBLIC) >= 15
