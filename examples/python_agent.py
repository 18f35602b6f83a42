"""A Python program that runs an agent: it starts the server, asks once, and says how the turn ended.

Run it in the folder the agent may read: python3 examples/python_agent.py turnwise
"""

import sys

from turnwise_client import Client

server = [*(sys.argv[1:] or ["turnwise"]), "serve", "--stdio"]


def show(notification):
    """Sees everything that happens in the session meanwhile."""
    event = notification.params.get("event", {})
    if event.get("type") == "tool/call":
        print("calls", event["data"]["name"])


# The offline planner needs no key; name another provider and model in its place.
with Client(server, provider="offline", model="offline") as client:
    result = client.run("python", "Which files are here?", observer=show)
    print(result.final_response)
    print(f"turn {result.turns[-1].turn}: {result.last_turn_reason}")
