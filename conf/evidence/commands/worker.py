"""``worker``: measure on this machine what a campaign elsewhere asks for."""

from __future__ import annotations

import asyncio

import click


@click.command()
@click.argument("address")
def worker(address: str) -> int:
    """Work for the scheduler at ADDRESS, an example at a time for each GPU, until it ends."""
    from evidence.measure import hosts

    hosts.check(address)
    asyncio.run(hosts.serve(address))
    return 0
