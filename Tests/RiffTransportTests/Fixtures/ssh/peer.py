# Riff
# SPDX-License-Identifier: Apache-2.0
"""An SSH server on the Python library asyncssh that logs people in as it is told.

peer.py SCENARIOS: JSON, from a user's name to what happens to that user. Writes its port, then a JSON line for each
thing that it saw.

    introduction    of the user `*`: lines before the identification
    banners         words before anything else, each a message of its own
    hold            seconds until the first answer
    open            lets in without anything
    rounds          [[name, instruction, [[prompt, echoes], ...]], ...]; all answers are accepted but for `answers`
    answers         what the answers of each round must be
    pause           seconds between the answers and what follows
    close_when_asked  seconds after a question until the connection is closed
    password        the password that is taken
    said            words with the answer to a password
    expired         words of the request for a new password; refuses `refused_password`
    key_first       a key is taken, and then the rest is wanted as well
    hostile         banners | empty_banners | prompts | many_prompts | instruction | rounds | name_length |
                    half_question
"""
import asyncio
import json
import sys

import asyncssh
from asyncssh.packet import String, UInt32, Boolean

SCENARIOS = json.loads(sys.argv[1])


def tell(**seen):
    print(json.dumps(seen), flush=True)


class Server(asyncssh.SSHServer):
    def connection_made(self, conn):
        self.conn = conn
        introduction = SCENARIOS.get("*", {}).get("introduction")
        if introduction:
            conn._transport.write(introduction.encode())
        self.key_was_right = False
        self.round = -1
        failure = conn.send_userauth_failure
        conn.send_userauth_failure = lambda partial: failure(partial or self.partial())

    def partial(self):
        if self.key_was_right == "now":
            self.key_was_right = True
            return True
        return False

    def connection_lost(self, exc):
        tell(lost=str(exc or ""))

    async def begin_auth(self, username):
        self.user = username
        self.plan = SCENARIOS.get(username, {})
        for text in self.plan.get("banners", []):
            self.conn.send_auth_banner(text)
        hostile = self.plan.get("hostile")
        try:
            while hostile == "banners":
                self.conn.send_auth_banner("endless " * 100)
                await asyncio.sleep(0)
            while hostile == "empty_banners":
                self.conn.send_auth_banner("")
                await asyncio.sleep(0)
        except Exception:
            return True
        if "hold" in self.plan:
            await asyncio.sleep(self.plan["hold"])
        return not self.plan.get("open", False)

    def wants(self, method):
        if self.plan.get("key_first") and not self.key_was_right:
            return method == "key"
        if method == "prompts":
            return "rounds" in self.plan or self.plan.get("hostile") is not None
        return method in self.plan

    def public_key_auth_supported(self):
        return bool(self.plan.get("key_first")) and not self.key_was_right

    def validate_public_key(self, username, key):
        self.key_was_right = "now"
        return False

    def password_auth_supported(self):
        return self.wants("password")

    def validate_password(self, username, password):
        tell(password=password)
        if "said" in self.plan:
            self.conn.send_auth_banner(self.plan["said"])
        if password != self.plan["password"]:
            return False
        if "expired" in self.plan:
            raise asyncssh.PasswordChangeRequired(self.plan["expired"])
        return True

    def change_password(self, username, old_password, new_password):
        tell(change=[old_password, new_password])
        if new_password == self.plan.get("refused_password"):
            raise asyncssh.PasswordChangeRequired("Not that one: ")
        return True

    def kbdint_auth_supported(self):
        return self.wants("prompts")

    def challenge(self):
        name, instruction, prompts = self.plan["rounds"][self.round]
        if "close_when_asked" in self.plan:
            asyncio.get_running_loop().call_later(self.plan["close_when_asked"], self.conn.abort)
        return name, instruction, "", [(text, echoes) for text, echoes in prompts]

    def get_kbdint_challenge(self, username, lang, submethods):
        hostile = self.plan.get("hostile")
        if hostile == "prompts":
            return "", "", "", [("p", False)] * 10_000
        if hostile == "many_prompts":
            return "", "", "", [("p", False)] * 65
        if hostile == "instruction":
            return "", "x" * 1_000_000, "", [("p", False)]
        if hostile == "rounds":
            return "", "Again.", "", []
        if hostile in ("name_length", "half_question"):
            length = 1_000_000_000 if hostile == "name_length" else 3
            packet = [UInt32(length), b"abc", String("i"), String("")]
            self.conn.send_packet(60, *(packet if hostile == "name_length" else packet + [UInt32(2), String("p")]))
            return asyncio.Future()
        self.round = 0
        return self.challenge()

    async def validate_kbdint_response(self, username, responses):
        tell(answers=list(responses))
        if self.plan.get("hostile") == "rounds":
            return "", "Again.", "", []
        if "pause" in self.plan:
            await asyncio.sleep(self.plan["pause"])
        expected = self.plan.get("answers")
        if expected is not None and list(responses) != expected[self.round]:
            return False
        self.round += 1
        if self.round == len(self.plan["rounds"]):
            return True
        return self.challenge()


async def run(process):
    process.stdout.write("in\n")
    process.exit(0)


async def main():
    key = asyncssh.generate_private_key("ssh-ed25519")
    server = await asyncssh.create_server(
        Server, "127.0.0.1", 0, server_host_keys=[key], process_factory=run, login_timeout=0
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    # It ends with whoever started it.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
