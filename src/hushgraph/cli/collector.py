"""``hushgraph collector``: runs the service that takes reports, and administers it over HTTP."""

from __future__ import annotations

import json
import shutil
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from hushgraph import _http
from hushgraph._files import atomic_write
from hushgraph.cli import console, options, rehearse
from hushgraph.cli.campaigns import TokenFile, administrator_token

app = typer.Typer(
    no_args_is_help=True, help="Run the service that takes reports of devices, or administer one."
)
campaign_app = typer.Typer(no_args_is_help=True, help="Create, open and close campaigns.")
tokens_app = typer.Typer(no_args_is_help=True, help="Give people the tokens that they report with.")
app.add_typer(campaign_app, name="campaign")
app.add_typer(tokens_app, name="tokens")

app.command()(rehearse.rehearse)

PART = 1 << 20
Server = Annotated[str, typer.Option(envvar="HUSHGRAPH_SERVER", help="The collector's address.")]
CampaignId = Annotated[str, typer.Argument(help="The campaign's id, as 'campaign create' printed it.")]
Insecure = Annotated[
    bool,
    typer.Option("--insecure", help="Send the token without TLS to another machine, in your own network."),
]
HERE = "http://127.0.0.1:8000"


@app.command()
def serve(
    database: Annotated[
        str,
        typer.Option(
            envvar="HUSHGRAPH_DATABASE", help="sqlite:///file or postgresql://user:password@host/name."
        ),
    ] = "sqlite:///collector.db",
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for a free one.")] = 8000,
    admin_token_file: TokenFile = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(help="A web origin whose pages may call this; repeatable. By default none."),
    ] = None,
    token_hook: Annotated[
        str | None, typer.Option(help="module:function of yours that says who a request is from.")
    ] = None,
    trusted_proxy: Annotated[
        str | None, typer.Option(help="Addresses of proxies in front, whose X-Forwarded-For is believed.")
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option(help="Any other setting, such as 'connections=2000'; repeatable.")
    ] = None,
    log_level: Annotated[str, typer.Option(help="info, warning or error.")] = "info",
    sample: Annotated[
        bool, typer.Option("--sample", help="Make a campaign with tokens to try it with, in a folder.")
    ] = False,
    folder: Annotated[Path, typer.Option(help="Of --sample.")] = Path("collector-sample"),
) -> None:
    """Serve until stopped. Without --sample it needs an admin token of at least 32 characters.

    Example: hushgraph collector serve --sample
    """
    with console.clear_errors():
        from hushgraph.collector.sample import prepare
        from hushgraph.collector.serving import serve as run
        from hushgraph.collector.settings import Settings

        made = prepare(folder) if sample else None
        settings = Settings(
            database=made.database if made else database,
            admin_token=made.admin_token if made else administrator_token(admin_token_file),
            allow_origins=tuple(allow_origin or ()),
            token_hook=token_hook,
            **_limits(setting or [], Settings),
        )

        def started(address: str) -> None:
            typer.echo(f"The collector listens on {address}; Ctrl-C stops it.")
            if made:
                typer.echo(f"The campaign: {made.campaign.id} (terms in {folder / 'campaign.json'})")
                typer.echo(f"Take part:  {address}/participate/{made.campaign.id}")
                typer.echo(f"            with anybody's token from {made.tokens}")
                typer.echo(f"Dashboard:  {address}/dashboard/{made.campaign.id}")
                typer.echo(f"            with the admin token in {folder / 'admin-token'}")

        options.look_here()
        run(settings, host, port, trusted_proxies=trusted_proxy, log_level=log_level, on_start=started)


@campaign_app.command("create")
def create(
    file: Annotated[Path, typer.Argument(help="The campaign, as Campaign.save writes it.")],
    server: Server = HERE,
    admin_token_file: TokenFile = None,
    insecure: Insecure = False,
    as_json: options.AsJson = False,
) -> None:
    """Give a collector a campaign, as a draft; prints its id."""
    with console.clear_errors():
        terms = file.read_bytes()
        _tell(_asked("POST", server, (), admin_token_file, insecure, terms), as_json)


@campaign_app.command("open")
def open_(
    campaign: CampaignId,
    server: Server = HERE,
    admin_token_file: TokenFile = None,
    insecure: Insecure = False,
    as_json: options.AsJson = False,
) -> None:
    """Take reports from now on."""
    with console.clear_errors():
        _tell(_asked("POST", server, (campaign, "open"), admin_token_file, insecure), as_json)


@campaign_app.command("close")
def close(
    campaign: CampaignId,
    server: Server = HERE,
    admin_token_file: TokenFile = None,
    insecure: Insecure = False,
    as_json: options.AsJson = False,
) -> None:
    """Take no more reports, for good; people can still withdraw."""
    with console.clear_errors():
        _tell(_asked("POST", server, (campaign, "close"), admin_token_file, insecure), as_json)


@tokens_app.command("issue")
def issue(
    campaign: CampaignId,
    people: Annotated[int, typer.Option(min=1, help="How many.")],
    output: Annotated[Path, typer.Option(help="Write them here, as CSV that only you may read.")],
    first: Annotated[int, typer.Option(min=0, help="The number of the first.")] = 0,
    days: Annotated[float | None, typer.Option(help="How long they are good for; by default always.")] = None,
    server: Server = HERE,
    admin_token_file: TokenFile = None,
    insecure: Insecure = False,
) -> None:
    """Make tokens; earlier ones of these people are no longer good."""
    with console.clear_errors():
        url = _http.address(server, "v1", "campaigns", campaign, "tokens", insecure=insecure)
        asked = json.dumps({"first": first, "count": people, "days": days}).encode()
        admin = administrator_token(admin_token_file)
        with (
            atomic_write(output, secret=True) as file,
            _http.opened("POST", url, admin, asked, "application/json") as (_, lines),
        ):
            shutil.copyfileobj(lines, file, PART)
        with output.open("rb") as written:
            got = sum(1 for _ in written) - 1
        if got != people:
            raise OSError(f"the collector sent {got:,} tokens of {people:,}: issue them again")
        console.print_facts("Tokens", {"people": f"{people:,}", "written to": str(output)})


@app.command()
def status(
    campaign: CampaignId,
    server: Server = HERE,
    admin_token_file: TokenFile = None,
    insecure: Insecure = False,
    as_json: options.AsJson = False,
) -> None:
    """Say how many reported."""
    with console.clear_errors():
        _tell(_asked("GET", server, (campaign,), admin_token_file, insecure), as_json)


@app.command()
def export(
    campaign: CampaignId,
    output: Annotated[Path, typer.Option(help="Write everything here, for 'train --campaign'.")],
    server: Server = HERE,
    admin_token_file: TokenFile = None,
    insecure: Insecure = False,
) -> None:
    """Fetch all reports; also while the campaign is open."""
    with console.clear_errors():
        from hushgraph.collection.export import Export

        url = _http.address(server, "v1", "campaigns", campaign, "export", insecure=insecure)
        with (
            atomic_write(output) as file,
            _http.opened("GET", url, administrator_token(admin_token_file)) as (_, stream),
        ):
            shutil.copyfileobj(stream, file, PART)
            file.flush()
            # A stream that ended too early does not take the place of the file.
            with Path(file.name).open("rb") as written:
                count = sum(1 for _ in Export(written).reports())
        console.print_facts("Exported", {"reports": f"{count:,}", "written to": str(output)})


def _asked(
    method: str, server: str, places: tuple[str, ...], token_file: Path | None, insecure: bool,
    body: bytes | None = None,
) -> dict[str, Any]:  # fmt: skip
    url = _http.address(server, "v1", "campaigns", *places, insecure=insecure)
    _, answer = _http.request(method, url, administrator_token(token_file), body, "application/json")
    told: dict[str, Any] = json.loads(answer)
    return told


def _tell(told: dict[str, Any], as_json: bool) -> None:
    if as_json:
        console.print_json(told)
    else:
        # In one line, however long: it is there to be copied.
        typer.echo(told.pop("id"))
        console.print_facts(
            "Campaign", {name: "—" if value is None else str(value) for name, value in told.items()}
        )


def _limits(words: list[str], kind: type[Any]) -> dict[str, Any]:
    """Settings that have no option of their own; all of them are numbers."""
    known = {
        one.name: one.default
        for one in fields(kind)
        if one.name == "token_days" or isinstance(one.default, int | float)
    }
    given: dict[str, Any] = {}
    for word in words:
        name, _, text = word.partition("=")
        if name not in known:
            raise ValueError(f"--setting must be one of {', '.join(known)}; got {name!r}")
        try:
            given[name] = int(text) if isinstance(known[name], int) else float(text)
        except ValueError:
            raise ValueError(f"--setting {name} must be a number, got {text!r}") from None
    return given
