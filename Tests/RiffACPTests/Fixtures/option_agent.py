# Riff
# SPDX-License-Identifier: Apache-2.0
"""An agent on the protocol's own SDK whose sessions have options: a model, and a switch that another one changes. A prompt is
answered with the options and the servers of tools that the session has."""
import asyncio
import json

from acp import (
    Agent,
    InitializeResponse,
    NewSessionResponse,
    PromptResponse,
    RequestError,
    run_agent,
    text_block,
    update_agent_message,
)
from acp.schema import (
    AgentCapabilities,
    Implementation,
    ResumeSessionResponse,
    SessionCapabilities,
    SessionConfigOptionBoolean,
    SessionConfigOptionSelect,
    SessionConfigSelectOption,
    SessionResumeCapabilities,
    SetSessionConfigOptionResponse,
)


class OptionAgent(Agent):
    def __init__(self):
        self.model, self.thinks, self.servers = "small", False, []

    def on_connect(self, conn):
        self.conn = conn

    def options(self):
        models = [SessionConfigSelectOption(value=name, name=name.title()) for name in ("small", "large")]
        return [
            SessionConfigOptionSelect(
                type="select", id="model", name="Model", category="model", current_value=self.model, options=models
            ),
            SessionConfigOptionBoolean(type="boolean", id="think", name="Think", current_value=self.thinks),
        ]

    async def initialize(self, protocol_version, client_capabilities=None, client_info=None, **kwargs):
        sessions = SessionCapabilities(resume=SessionResumeCapabilities())
        return InitializeResponse(
            protocol_version=protocol_version,
            agent_capabilities=AgentCapabilities(session_capabilities=sessions),
            agent_info=Implementation(name="option-agent", version="1"),
        )

    async def new_session(self, cwd, mcp_servers=None, **kwargs):
        self.servers = [server.name for server in mcp_servers or []]
        return NewSessionResponse(session_id="s", config_options=self.options())

    async def resume_session(self, cwd, session_id, mcp_servers=None, **kwargs):
        self.servers = [server.name for server in mcp_servers or []]
        return ResumeSessionResponse(config_options=self.options())

    async def set_config_option(self, config_id, session_id, value, **kwargs):
        if config_id == "model":
            if value not in ("small", "large"):
                raise RequestError.invalid_params({"value": value})
            self.model = value
            # The large one always thinks.
            self.thinks = self.thinks or value == "large"
        elif config_id == "think":
            self.thinks = value
        else:
            raise RequestError.invalid_params({"config_id": config_id})
        return SetSessionConfigOptionResponse(config_options=self.options())

    async def prompt(self, prompt, session_id, **kwargs):
        state = json.dumps([self.model, self.thinks, self.servers])
        await self.conn.session_update(session_id, update_agent_message(text_block(state)))
        return PromptResponse(stop_reason="end_turn")


asyncio.run(run_agent(OptionAgent(), use_unstable_protocol=True))
