# Riff
# SPDX-License-Identifier: Apache-2.0
"""A server of the Python library asyncssh, for the tests: every algorithm that it has. Its port is the first line that it
writes.

    asyncssh_peer.py AUTHORIZED_KEYS REKEY_BYTES
"""
import asyncio
import sys

import asyncssh


async def handle(process):
    """What the tests' commands do, and no shell: input to output, a line of errors, status 3."""
    async for chunk in process.stdin:
        process.stdout.write(chunk)
    if process.command.startswith("cat;"):
        process.stderr.write(b"wrong\n")
        process.exit(3)
    elif process.command.startswith("size"):
        process.stdout.write(("%d %d\n" % process.term_size[:2]).encode())
        process.exit(0)
    else:
        process.exit(0)


async def main():
    keys = [asyncssh.generate_private_key(kind) for kind in ("ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384",
                                                            "ecdsa-sha2-nistp521", "ssh-rsa")]
    server = await asyncssh.listen(
        "127.0.0.1", 0, server_host_keys=keys, authorized_client_keys=sys.argv[1], process_factory=handle, encoding=None,
        kex_algs=["mlkem768x25519-sha256", "curve25519-sha256", "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256",
                  "ecdh-sha2-nistp384", "ecdh-sha2-nistp521"],
        compression_algs=["zlib@openssh.com", "none"], rekey_bytes=int(sys.argv[2]),
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    # The test closes the input when it is done.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
