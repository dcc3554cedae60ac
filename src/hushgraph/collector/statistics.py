"""(soon)"""
from typing import Any
def compute(engine: Any, ready: Any) -> dict[str, Any]:
    return {}
