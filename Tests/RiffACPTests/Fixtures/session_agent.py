# Riff
# SPDX-License-Identifier: Apache-2.0
"""An agent on the protocol's own SDK with sessions that are kept: loaded, resumed, listed, closed, cancelled. "stay" ends only by
a cancellation; everything else is said back."""
import asyncio
import json
import os
import sys

from acp import (
    Agent,
    InitializeResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PromptResponse,
    RequestError,
    run_agent,
    text_block,
    update_agent_message,
    update_user_message,
)
from acp.schema import (
    AgentCapabilities,
    CloseSessionResponse,
    Implementation,
    ListSessionsResponse,
    ResumeSessionResponse,
    SessionCapabilities,
    SessionCloseCapabilities,
    SessionInfo,
    SessionListCapabilities,
    SessionResumeCapabilities,
)

PAGE = 2


class SessionAgent(Agent):
    def __init__(self, path):
        self.path = path
        self.kept = json.load(open(path)) if os.path.exists(path) else []
        self.open = {}

    def on_connect(self, conn):
        self.conn = conn

    def save(self):
        with open(self.path, "w") as file:
            json.dump(self.kept, file)

    def find(self, session_id):
        for session in self.kept:
            if session["id"] == session_id:
                return session
        raise RequestError.resource_not_found(session_id)

    async def initialize(self, protocol_version, client_capabilities=None, client_info=None, **kwargs):
        sessions = SessionCapabilities(
            list=SessionListCapabilities(), resume=SessionResumeCapabilities(), close=SessionCloseCapabilities()
        )
        return InitializeResponse(
            protocol_version=protocol_version,
            agent_capabilities=AgentCapabilities(load_session=True, session_capabilities=sessions),
            agent_info=Implementation(name="session-agent", version="1"),
        )

    async def new_session(self, cwd, **kwargs):
        session = {"id": f"session-{len(self.kept)}", "cwd": cwd, "said": []}
        self.kept.append(session)
        self.open[session["id"]] = asyncio.Event()
        self.save()
        return NewSessionResponse(session_id=session["id"])

    async def load_session(self, cwd, session_id, **kwargs):
        session = self.find(session_id)
        for role, text in session["said"]:
            make = update_user_message if role == "user" else update_agent_message
            await self.conn.session_update(session_id=session_id, update=make(text_block(text)))
        self.open[session_id] = asyncio.Event()
        return LoadSessionResponse()

    async def resume_session(self, cwd, session_id, **kwargs):
        self.find(session_id)
        self.open[session_id] = asyncio.Event()
        return ResumeSessionResponse()

    async def list_sessions(self, cwd=None, cursor=None, **kwargs):
        found = [session for session in self.kept if cwd in (None, session["cwd"])]
        first = int(cursor or 0)
        infos = [
            SessionInfo(session_id=session["id"], cwd=session["cwd"], title=session["said"][0][1] if session["said"] else None)
            for session in found[first : first + PAGE]
        ]
        return ListSessionsResponse(sessions=infos, next_cursor=str(first + PAGE) if len(found) > first + PAGE else None)

    async def close_session(self, session_id, **kwargs):
        if self.open.pop(session_id, None) is None:
            raise RequestError.resource_not_found(session_id)
        return CloseSessionResponse()

    async def cancel(self, session_id, **kwargs):
        if session_id in self.open:
            self.open[session_id].set()

    async def prompt(self, session_id, prompt, **kwargs):
        if session_id not in self.open:
            raise RequestError.invalid_params({"sessionId": "is not open"})
        cancelled = self.open[session_id]
        cancelled.clear()
        text = prompt[0].text
        session = self.find(session_id)
        session["said"] += [("user", text), ("agent", text)]
        self.save()
        await self.conn.session_update(session_id=session_id, update=update_agent_message(text_block(text)))
        if text != "stay":
            return PromptResponse(stop_reason="end_turn")
        await cancelled.wait()
        return PromptResponse(stop_reason="cancelled")


asyncio.run(run_agent(SessionAgent(sys.argv[1]), use_unstable_protocol=True))
