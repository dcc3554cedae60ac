"""Fetching a campaign from a server that need not be trusted with it."""

from __future__ import annotations

from hushgraph import _http
from hushgraph.collection.campaign import Campaign


def fetch_campaign(server: str, campaign_id: str, *, insecure: bool = False) -> Campaign:
    """The campaign of an id, from a collector; terms that are not those of the id are refused."""
    where = _http.address(server, "v1", "campaigns", campaign_id, "terms", insecure=insecure)
    _, terms = _http.request("GET", where, tries=3)
    try:
        text = terms.decode()
    except UnicodeDecodeError:
        raise ValueError("the server's terms are not text in UTF-8") from None
    return Campaign.from_json(text, id=campaign_id)
