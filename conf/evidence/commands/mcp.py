"""``mcp``: programs ask the site by the Model Context Protocol, and get claims with their limits.

It talks on standard input and output, as an assistant starts it. What it answers from is what
:mod:`evidence.commands.published` reads; the packages that it needs are the group ``mcp``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from evidence.commands import CommandError
from evidence.commands.published import LookUp, Published
from evidence.judge.asked import AskedError

if TYPE_CHECKING:
    from mcp.server import Server

ABOUT = (
    "Facts about PyTorch on NVIDIA GPUs, each measured there. Ask with the user's PyTorch and GPU."
    " Say as a fact only what an answer says with 'Verdict: holds', within its scope, and quote its"
    " address. What is out of scope, or not known here, is not answered here: say so."
)
#: More questions at once are refused.
BUSY = 50


def server(folder: Path) -> Server[Any]:
    """The server of a site's folder.

    :raises CommandError: when there is no site in it
    """
    from anyio.lowlevel import checkpoint
    from mcp import types
    from mcp.server import Server

    site, waiting, name = Published(folder), list[object](), "look_up"
    schema = msgspec.json.schema_components([LookUp])[1]["LookUp"]
    tool = types.Tool(name=name, description=LookUp.__doc__, input_schema=schema)

    async def tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool])

    async def call(_context: Any, params: types.CallToolRequestParams) -> Any:
        waiting.append(params)
        await checkpoint()  # others are counted first
        try:
            if len(waiting) > BUSY:
                raise AskedError(f"{BUSY} questions at once are the most")
            if params.name != name:
                raise AskedError("There is no such tool")
            user = msgspec.convert(params.arguments or {}, LookUp)
            text, failed = site.answer(user), False
        except (AskedError, msgspec.ValidationError) as error:
            text, failed = f"{error}.", True
        finally:
            waiting.pop()
        content = types.TextContent(type="text", text=text)
        return types.CallToolResult(content=[content], is_error=failed)

    own = {"instructions": ABOUT, "on_list_tools": tools, "on_call_tool": call}
    return Server("measured-cuda", **own)


@click.command()
@click.option(
    "--site", type=Path, default=Path("build/html"), help="the folder of a built site"
)
def mcp(site: Path) -> int:
    """Answer programs by the Model Context Protocol, from a site that was built."""
    try:
        import anyio
        from mcp.server.stdio import stdio_server
    except ImportError as error:
        raise CommandError(f"'evidence mcp' needs the group 'mcp': {error}") from None
    asks = server(site)

    async def serve() -> None:
        async with stdio_server() as (questions, answers):
            await asks.run(questions, answers, asks.create_initialization_options())

    anyio.run(serve)
    return 0
