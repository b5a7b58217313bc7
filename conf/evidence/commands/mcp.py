"""``mcp``: programs ask the site, by the Model Context Protocol, and get the verdict with its limits.

It talks on standard input and output, as an assistant starts it. What it answers from is what
:mod:`evidence.commands.published` reads; the packages that it needs are the group ``mcp``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evidence.commands import CommandError
from evidence.commands.published import Asked, Published, QuestionError, answered

if TYPE_CHECKING:
    from mcp.server import Server

ABOUT = """\
Facts about PyTorch on NVIDIA GPUs, each measured there. Ask with the PyTorch and the GPU of the user. \
Say as a fact only what an answer says under "Verdict: holds", within its scope, and quote its address. \
What is out of scope, or not known here, is not answered here: say so."""
#: Of each tool what it looks up, what its argument is, and how many characters that may have.
TOOLS = {
    "look_up_words": ("Claims that answer a question, by its words.", "question", 2000),
    "look_up_message": (
        "Claims that explain an error or a warning, pasted as it was printed.",
        "message",
        20_000,
    ),
    "look_up_name": (
        "Claims that speak of an API or a variable, such as torch.cuda.Stream.",
        "name",
        200,
    ),
}
#: Whose question it is; all may be left out.
USER = {
    "torch": {"type": "string", "description": "Version of PyTorch: 2.14.1"},
    "gpu": {"type": "string", "description": "Model: NVIDIA H200; or sm_90"},
    "gpus": {"type": "integer", "description": "How many GPUs there are"},
}
#: The most characters of an argument of :data:`USER`, and the most questions at once.
SHORT, BUSY = 100, 50
#: Colours of a terminal, which are taken out, and what no text has.
COLOUR, CONTROL = re.compile(r"\x1b\[[\d;]*m"), re.compile(r"[^\S \n\r\t\xa0]|[\x00-\x08\x0e-\x1f\x7f-\x9f]")


def asked(arguments: dict[str, Any], text: str, most: int) -> tuple[str, Asked]:
    """What is asked, and by whom.

    :param text: the name of the argument that is looked up
    :param most: how many characters it may have
    :raises QuestionError: when it cannot be looked up
    """
    given = {text: "", "torch": "", "gpu": "", "gpus": 0} | arguments
    if other := given.keys() - {text, *USER}:
        raise QuestionError(f"There is no argument {sorted(other)[0][:SHORT]!r}.")
    for name, value in given.items():
        limit = most if name == text else SHORT
        if name == "gpus":
            if type(value) is not int or not 0 <= value <= 10_000:
                raise QuestionError("gpus must be a number of GPUs.")
        elif not isinstance(value, str):
            raise QuestionError(f"{name} must be one text.")
        elif len(value) > limit:
            raise QuestionError(f"{name} may have {limit} characters at most.")
        elif CONTROL.search(plain := COLOUR.sub("", value)):
            raise QuestionError(f"{name} has control characters.")
        else:
            given[name] = plain.strip()
    if not re.search(r"\w", given[text]):
        raise QuestionError(f"{text} has no words.")
    return given[text], Asked(given["torch"], given["gpu"], given["gpus"])


def answer(site: Published, tool: str, arguments: dict[str, Any]) -> str:
    """What a tool answers: claims, or in one sentence why there are none.

    :raises QuestionError: when it cannot be looked up
    """
    if tool not in TOOLS:
        raise QuestionError(f"There is no tool {tool[:SHORT]!r}.")
    _, text, most = TOOLS[tool]
    question, user = asked(arguments, text, most)
    look_up = getattr(site, tool.replace("look_up", "by"))
    found = answered(site, look_up(question), user)
    return "\n\n".join(found) or f"This site does not know: no claim answers this {text}."


def server(folder: Path) -> Server[Any]:
    """The server of a site's folder."""
    from anyio.lowlevel import checkpoint
    from mcp import types
    from mcp.server import Server

    site, open_questions = Published(folder), set[object]()

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=name,
                    description=about,
                    input_schema={
                        "type": "object",
                        "properties": {text: {"type": "string", "maxLength": most}, **USER},
                        "required": [text],
                    },
                    annotations=types.ToolAnnotations(
                        read_only_hint=True, open_world_hint=False
                    ),
                )
                for name, (about, text, most) in TOOLS.items()
            ]
        )

    async def call_tool(
        _context: Any, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        own = object()
        try:
            if len(open_questions) >= BUSY:
                raise QuestionError(f"{BUSY} questions at once are the most.")
            open_questions.add(own)
            await checkpoint()  # others are counted first
            text, failed = answer(site, params.name, params.arguments or {}), False
        except (QuestionError, CommandError) as error:
            text, failed = str(error), True
        finally:
            open_questions.discard(own)
        content = types.TextContent(type="text", text=text)
        return types.CallToolResult(content=[content], is_error=failed)

    return Server(
        "measured-cuda",
        instructions=ABOUT,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


@click.command()
@click.option(
    "--site", type=Path, default=Path("build/html"), help="the folder of a built site"
)
def mcp(site: Path) -> int:
    """Answer programs by the Model Context Protocol, from a site that was built."""
    try:
        import anyio
        import quickjs  # noqa: F401
        from mcp.server.stdio import stdio_server
    except ImportError as error:
        raise CommandError(f"'evidence mcp' needs the group 'mcp': {error}") from None
    asks = server(site)

    async def serve() -> None:
        async with stdio_server() as (questions, answers):
            await asks.run(questions, answers, asks.create_initialization_options())

    anyio.run(serve)
    return 0
