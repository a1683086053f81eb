#!/usr/bin/env python3
"""Posts how a plugin stands to a Discord channel, once; run it daily by cron or a timer. Needs Python 3.8, nothing else.

METRICS_URL      the server, such as https://metrics.example.org
PLUGIN_ID        such as 1337
DISCORD_TOKEN    the token of the bot, which may send messages to the channel
DISCORD_CHANNEL  the id of the channel
"""
import json
import os
import sys
import urllib.error
import urllib.request
from datetime import datetime, timezone

USER_AGENT = "DiscordBot (https://metrics.example.org, 1.0)"


def request(url, body=None, headers={}):
    """Sends JSON, or asks for it."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"User-Agent": USER_AGENT, "Content-Type": "application/json", **headers}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=30) as response:
        return json.load(response)


def message_of(server, plugin_id):
    """Makes the message from what is known of the plugin now."""
    plugin = request(f"{server}/api/v2/plugins/{plugin_id}")
    lines = {
        chart["title"]: chart["latest"]
        for chart in plugin["charts"]
        if chart["type"] == "single_linechart" and chart["isDefault"] and chart["latest"] is not None
    }
    if not lines:
        raise SystemExit(f"plugin {plugin_id} has no numbers yet")
    newest = max(time for time, _ in lines.values())
    return {
        "embeds": [
            {
                "title": plugin["name"],
                "url": f"{server}/plugin/{plugin_id}",
                "fields": [{"name": title, "value": f"{value:,}", "inline": True} for title, (_, value) in lines.items()],
                "image": {"url": f"{server}/embed/{plugin_id}.png?range=30d&theme=dark"},
                "timestamp": datetime.fromtimestamp(newest / 1000, timezone.utc).isoformat(),
            }
        ]
    }


def main():
    server = os.environ["METRICS_URL"].rstrip("/")
    discord = os.environ.get("DISCORD_API", "https://discord.com/api/v10")
    message = message_of(server, int(os.environ["PLUGIN_ID"]))
    address = f"{discord}/channels/{int(os.environ['DISCORD_CHANNEL'])}/messages"
    request(address, message, {"Authorization": f"Bot {os.environ['DISCORD_TOKEN']}"})


if __name__ == "__main__":
    try:
        main()
    except KeyError as error:
        sys.exit(f"the variable {error.args[0]} is not set")
    except urllib.error.HTTPError as error:
        # Both servers say in the body what was wrong.
        sys.exit(f"{error.url} answered {error.code}: {error.read(500).decode(errors='replace')}")
    except OSError as error:
        sys.exit(f"no answer: {error}")
