# Riff
# SPDX-License-Identifier: Apache-2.0
#
# A server on the Python library websockets; what it does is told by the path. It prints its port first, then a line for
# each connection that ended: path, close code and reason as the library saw them.
#
#   peer.py [--deflate] [--certificate FILE --key FILE]

import argparse
import asyncio
import json
import ssl

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

arguments = argparse.ArgumentParser()
arguments.add_argument("--deflate", action="store_true")
arguments.add_argument("--certificate")
arguments.add_argument("--key")
arguments = arguments.parse_args()


async def answer(socket):
    path = socket.request.path
    if path == "/echo":
        async for message in socket:
            await socket.send(message)
    elif path == "/fragments":
        async for message in socket:
            size = max(1, len(message) // 7)
            await socket.send([message[i : i + size] for i in range(0, len(message), size)])
    elif path == "/ping":
        for _ in range(3):
            await (await socket.ping())
        await socket.send("answered")
        await socket.wait_closed()
    elif path == "/extensions":
        await socket.send(socket.response.headers.get("Sec-WebSocket-Extensions", "none"))
        await socket.wait_closed()
    elif path == "/headers":
        await socket.send(json.dumps(dict(socket.request.headers.raw_items())))
        await socket.wait_closed()
    elif path == "/close":
        await socket.close(4321, "enough ä")
    elif path == "/abort":
        socket.transport.abort()
    elif path == "/large":
        await socket.send(b"x" * 2_000_000)
        await socket.wait_closed()
    else:
        await socket.wait_closed()


async def handler(socket):
    try:
        await answer(socket)
    except ConnectionClosed:
        pass
    await socket.wait_closed()
    print(json.dumps([socket.request.path, socket.close_code, socket.close_reason]), flush=True)


async def main():
    context = None
    if arguments.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(arguments.certificate, arguments.key)
    async with serve(
        handler,
        "127.0.0.1",
        0,
        ssl=context,
        compression="deflate" if arguments.deflate else None,
        max_size=20 << 20,
        subprotocols=["hub"],
        select_subprotocol=lambda connection, offered: "hub" if "hub" in offered else None,
        ping_interval=None,
    ) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


asyncio.run(main())
