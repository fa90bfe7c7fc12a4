# Riff
# SPDX-License-Identifier: Apache-2.0
# Old path under Tests -> new path under Tests, as in table.py.
T="""
RiffCoreTests/Audio/ RiffVoiceTests/Audio/
RiffCoreTests/Conversations/ConversationFolderTests.swift RiffServerTests/Conversations/
RiffCoreTests/Conversations/PushPayloadTests.swift RiffServerTests/Conversations/
RiffCoreTests/Conversations/NotificationTextTests.swift RiffCoreTests/Text/
RiffCoreTests/Conversations/ RiffVoiceTests/Relay/
RiffCoreTests/Inbox/ RiffShareTests/
RiffCoreTests/Interaction/KeyEncoderTests.swift RiffCoreTests/Terminal/
RiffCoreTests/Interaction/ RiffSessionsTests/Pages/
RiffCoreTests/Sessions/ConnectionMachineTests.swift RiffTransportTests/Host/
RiffCoreTests/Sessions/SessionHistoryTests.swift RiffSessionsTests/Pages/
RiffCoreTests/Sessions/SessionsMachineTests.swift RiffSessionsTests/Pages/
RiffCoreTests/Speech/TranscriptAccumulatorTests.swift RiffVoiceTests/Speech/
RiffCoreTests/Speech/VocabularyFixerTests.swift RiffVoiceTests/Speech/
RiffCoreTests/Speech/ RiffVoiceTests/Endpointing/
RiffCoreTests/Fixtures/endings/ RiffVoiceTests/Fixtures/endings/
RiffCoreTests/State/ RiffCoreTests/Async/
RiffCoreTests/Stores/HostKeyFileTests.swift RiffCoreTests/Security/
RiffCoreTests/Stores/KnownHostsTests.swift RiffCoreTests/Security/
RiffCoreTests/Terminal/ RiffSessionsTests/Terminal/
RiffCoreTests/Tmux/ControlModeParserTests.swift RiffSessionsTests/Tmux/
RiffCoreTests/Tmux/TmuxWatchMachineTests.swift RiffSessionsTests/Tmux/
RiffCoreTests/Tmux/DriverPolicyTests.swift RiffSessionsTests/Driver/
RiffCoreTests/Worktrees/HostScriptTests.swift RiffCoreTests/Shell/
RiffCoreTests/Worktrees/ RiffCoreTests/Sessions/
RiffTransportTests/Bytes/PassingGateTests.swift RiffCoreTests/Async/
RiffTransportTests/Terminal/WriteTurnsTests.swift RiffCoreTests/Async/
RiffTransportTests/Casts/ RiffTestingTests/Casts/
RiffTransportTests/Chaos/ChaosProxyTests.swift RiffTestingTests/Chaos/
RiffTransportTests/Conformance/ RiffTestingTests/Conformance/
RiffTransportTests/Servers/ RiffTestingTests/Servers/
RiffTransportTests/Deflate/ RiffDeflateTests/
RiffTransportTests/Driver/ RiffSessionsTests/Driver/
RiffTransportTests/Sessions/ RiffSessionsTests/Pages/
RiffTransportTests/SSH/Sessions/ RiffSessionsTests/Terminal/
RiffTransportTests/SSH/Cuts/ RiffSessionsTests/Cuts/
RiffTransportTests/SSH/SSHCutTests.swift RiffSessionsTests/Cuts/
RiffTransportTests/Terminal/TerminalClosureTests.swift RiffTransportTests/Terminal/
RiffTransportTests/Terminal/ RiffSessionsTests/Terminal/
RiffTransportTests/Tmux/ RiffSessionsTests/Tmux/
RiffVoiceTests/Approvals/ RiffTalkTests/Approvals/
RiffVoiceTests/Conversation/ RiffTalkTests/Conversation/
RiffVoiceTests/Dictation/ RiffTalkTests/Dictation/
RiffVoiceTests/Live/ RiffTalkTests/Live/
RiffVoiceTests/Narration/NarrationMachineTests.swift RiffTalkTests/Narration/
RiffVoiceTests/Narration/NarratorTests.swift RiffTalkTests/Narration/
RiffVoiceTests/Narration/ RiffVoiceTests/Answers/
RiffVoiceTests/Server/ RiffServerTests/
RiffVoiceTests/Riff/RiffConversationTests.swift RiffServerTests/
RiffVoiceTests/Riff/RiffNarrationTests.swift RiffServerTests/
RiffVoiceTests/Riff/ RiffVoiceTests/Relay/
RiffVoiceTests/Sven/DeviceLedgerTests.swift RiffServerTests/Sven/
RiffVoiceTests/Sven/PairingWindowTests.swift RiffServerTests/Sven/
RiffVoiceTests/Sven/SvenConversationTests.swift RiffServerTests/Sven/
RiffVoiceTests/Sven/SvenPromptOnceTests.swift RiffServerTests/Sven/
RiffVoiceTests/Sven/SvenServerTests.swift RiffServerTests/Sven/
RiffVoiceTests/Sven/SvenRecordedTests.swift RiffServerTests/Sven/
RiffDataTests/Transcripts/ RiffTranscriptsTests/
RiffDataTests/Hermes/ RiffHermesTests/Database/
RiffDataTests/Models/ RiffHermesTests/Views/
RiffDataTests/ RiffHermesTests/
"""
ROWS=dict(l.split() for l in T.strip().splitlines())
def new(path):
    best=''
    for k in ROWS:
        if (path==k or (k.endswith('/') and path.startswith(k))) and len(k)>len(best): best=k
    if not best: return path
    v=ROWS[best]
    return v+path[len(best):] if best.endswith('/') else v+path.rsplit('/',1)[1]
