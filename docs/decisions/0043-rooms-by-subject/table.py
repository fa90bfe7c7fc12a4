# Riff
# SPDX-License-Identifier: Apache-2.0
# old path under Sources -> new path under Sources; longest match wins; a file or a folder (ending in /).
T = """
RiffCore/Hosts/ RiffCore/Hosts/
RiffCore/State/ RiffCore/Async/
RiffCore/Time/BusySignal.swift RiffCore/Async/
RiffTransport/Bytes/EventualValue.swift RiffCore/Async/
RiffTransport/Bytes/PassingGate.swift RiffCore/Async/
RiffTransport/Bytes/Deadline.swift RiffCore/Async/
RiffTransport/Sessions/OwnedTasks.swift RiffCore/Async/
RiffTransport/Terminal/WriteTurns.swift RiffCore/Async/
RiffTransport/Watch/NewsFlag.swift RiffCore/Async/
RiffCore/Stores/BlockingExecutor.swift RiffCore/Async/
RiffCore/Stores/FileLock.swift RiffCore/Files/
RiffCore/Stores/LocalDirectory.swift RiffCore/Files/
RiffCore/Stores/LocalDirectory+Listing.swift RiffCore/Files/
RiffCore/Stores/LocalPath.swift RiffCore/Files/
RiffCore/Stores/LockedFile.swift RiffCore/Files/
RiffCore/Stores/RootedFiles.swift RiffCore/Files/
RiffCore/Conversations/LineLog.swift RiffCore/Files/
RiffCore/Stores/HashedHostName.swift RiffCore/Security/
RiffCore/Stores/HostKeyFile.swift RiffCore/Security/
RiffCore/Stores/HostPattern.swift RiffCore/Security/
RiffCore/Stores/InMemoryHostKeyStore.swift RiffCore/Security/
RiffCore/Stores/KnownHosts.swift RiffCore/Security/
RiffCore/Stores/KnownHostsLine.swift RiffCore/Security/
RiffCore/Worktrees/HostScript.swift RiffCore/Shell/
RiffCore/Worktrees/HostScript+Texts.swift RiffCore/Shell/
RiffCore/Worktrees/HostScriptInstallation.swift RiffCore/Shell/
RiffCore/Worktrees/Scripts/ RiffCore/Shell/Scripts/
RiffCore/Worktrees/ RiffCore/Sessions/
RiffCore/Terminal/SafeKey.swift RiffCore/Terminal/
RiffCore/Terminal/InertText.swift RiffCore/Text/
RiffCore/Terminal/TerminalSize.swift RiffCore/Terminal/
RiffCore/Terminal/KeyEncoder.swift RiffCore/Terminal/
RiffCore/Terminal/TerminalKey.swift RiffCore/Terminal/
RiffCore/Interaction/KeyEncoder.swift RiffCore/Terminal/
RiffCore/Interaction/TerminalKey.swift RiffCore/Terminal/
RiffCore/Terminal/ RiffSessions/Terminal/
RiffCore/Interaction/PagerModel.swift RiffSessions/Pages/
RiffCore/Interaction/RequestedAction.swift RiffSessions/Pages/
RiffCore/Conversations/ConversationMessage.swift RiffCore/Text/
RiffCore/Conversations/NotificationText.swift RiffCore/Text/
RiffData/Transcripts/Search/FTSText.swift RiffCore/Text/
RiffCore/Sessions/ConnectionMachine.swift RiffTransport/Host/
RiffCore/Sessions/SessionsMachine.swift RiffSessions/Pages/
RiffCore/Sessions/SessionsMachine+Events.swift RiffSessions/Pages/
RiffCore/Sessions/SessionListSchedule.swift RiffSessions/Pages/
RiffCore/Tmux/ControlModeEvent.swift RiffSessions/Tmux/
RiffCore/Tmux/ControlModeParser.swift RiffSessions/Tmux/
RiffCore/Tmux/TmuxWatchMachine.swift RiffSessions/Tmux/
RiffCore/Tmux/TmuxReading.swift RiffSessions/Tmux/
RiffCore/Tmux/TmuxWatching.swift RiffSessions/Tmux/
RiffCore/Tmux/Driver/ RiffSessions/Driver/
RiffTransport/Deflate/ RiffDeflate/
RiffCore/Inbox/ RiffShare/
RiffTransport/Inbox/SharePathTyping+Sessions.swift RiffSessions/Terminal/
RiffTransport/Sessions/ RiffSessions/Pages/
RiffTransport/Tmux/ RiffSessions/Tmux/
RiffTransport/Driver/ RiffSessions/Driver/
RiffTransport/Terminal/ RiffSessions/Terminal/
RiffTransport/Terminal/TerminalTransport.swift RiffTransport/Terminal/
RiffTransport/Terminal/TerminalOutput.swift RiffTransport/Terminal/
RiffCore/Audio/ RiffVoice/Audio/
RiffCore/Speech/Turn/ RiffVoice/Endpointing/
RiffCore/Speech/ RiffVoice/Speech/
RiffCore/Conversations/ RiffVoice/Relay/
RiffCore/Conversations/BridgeFolder.swift RiffServer/Conversations/
RiffCore/Conversations/ConversationStore.swift RiffServer/Conversations/
RiffCore/Conversations/ConversationWindow.swift RiffServer/Conversations/
RiffCore/Conversations/DeviceRegistry.swift RiffServer/Conversations/
RiffCore/Conversations/PushPayload.swift RiffServer/Conversations/
RiffVoice/Riff/ RiffVoice/Relay/
RiffVoice/Dictation/ RiffTalk/Dictation/
RiffVoice/Approvals/ RiffTalk/Approvals/
RiffVoice/Conversation/ RiffTalk/Conversation/
RiffVoice/Narration/ RiffVoice/Answers/
RiffVoice/Narration/Narrator.swift RiffTalk/Narration/
RiffVoice/Narration/NarrationMachine.swift RiffTalk/Narration/
RiffData/Transcripts/Database/ RiffTranscripts/Database/
RiffData/Transcripts/ RiffTranscripts/
RiffData/Errors/DataError.swift RiffCore/Errors/
RiffData/Errors/DataError+Database.swift RiffTranscripts/Database/
RiffData/Errors/DistrustedSchema.swift RiffSQLite/
RiffData/Hermes/Values/ RiffHermes/Database/Values/
RiffData/Hermes/ RiffHermes/Database/
RiffData/Home/ RiffHermes/Home/
RiffData/Logs/ RiffHermes/Logs/
RiffData/Models/ RiffHermes/Views/
"""

ROWS = dict(line.split() for line in T.strip().splitlines())
def step_of(k, v):
    t = v.split('/')[0]; s = k.split('/')[0]
    if t == 'RiffCore' or t == 'RiffDeflate': return 1
    if t in ('RiffShare', 'RiffTranscripts', 'RiffHermes', 'RiffSQLite'): return 2
    if t in ('RiffSessions', 'RiffTransport'): return 3
    return 4
def new(path, step=None):
    best = ''
    for k in ROWS:
        if (path == k or (k.endswith('/') and path.startswith(k))) and len(k) > len(best): best = k
    if not best: return path
    v = ROWS[best]
    if step and step_of(best, v) != step: return path
    if best.endswith('/'): return v + path[len(best):]
    return v + path.rsplit('/', 1)[1]
