// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// An event of a hub's client: from the network, from the devices, and from the person.
package enum HubEvent: Sendable {
    // MARK: The network

    /// The connection's own events.
    case connection(HubConnectionMachine.Event)
    /// A message came over a socket.
    case frame(socket: Int, HubFrame)
    /// Something that cannot be read came over a socket.
    case malformed(socket: Int)
    /// An answer could not be sent: nothing of it was.
    case notSent(session: HubSession.ID, answer: Int)
    /// Something cannot be said to this hub at all.
    case unsayable(session: HubSession.ID, answer: Int?, Problem)
    /// All of an answer came to the hub's end of the connection.
    case arrived(session: HubSession.ID, answer: Int)
    /// The hub told its sessions.
    case sessions(request: HubSequenceNumber, [HubSession])
    /// The hub did not.
    case sessionsFailed(request: HubSequenceNumber, Problem)
    /// The hub told its settings.
    case settings(request: HubSequenceNumber, HubSettings)
    /// The hub did not.
    case settingsFailed(Problem)
    /// The hub took a change, and told its settings after it.
    case settingsChanged(HubSettings)
    /// The hub told a voice's history.
    case history(voice: HubVoice.ID, request: HubSequenceNumber, HubService.HistoryPage)
    /// The hub told what was said before all that was known.
    case older(voice: HubVoice.ID, request: HubSequenceNumber, HubService.HistoryPage)
    /// The hub did not tell a voice's history.
    case historyFailed(voice: HubVoice.ID, request: HubSequenceNumber)
    /// The hub has a new session.
    case spawned(voice: HubVoice.ID, HubSession)
    /// The hub has not.
    case spawnFailed(voice: HubVoice.ID, Problem)
    /// The hub has ended a session.
    case ended(session: HubSession.ID)
    /// The hub has not; where the agent said goodbye, it is asked again.
    case endFailed(session: HubSession.ID, Problem)
    /// Something that was asked failed.
    case failed(Problem)
    /// A connection could not be made; it is tried again by itself.
    case connectFailed(Problem)
    /// The hub is of a kind that is not spoken here.
    case refused(Problem)

    // MARK: The devices

    /// A clip was played, or could not be.
    case played(clip: Int, Problem?)
    /// The user spoke into the agent's words for long enough; the microphone records from a moment before on.
    case interrupted(microphone: Int)
    /// The user speaks into a recording.
    case spoke(microphone: Int)
    /// A recording is over: a sound file; `nil` where it was thrown away.
    case recorded(microphone: Int, [UInt8]?, Problem?)

    /// The system took the device's audio, or it may be used.
    case audio(isThere: Bool)

    // MARK: The person

    /// A voice's card was tapped: its session opens, or a new one is made.
    case open(voice: HubVoice.ID)
    /// A session is to be opened.
    case openSession(HubSession.ID)
    /// More of what was said in the open session is to be shown.
    case showOlder
    /// Back to the grid.
    case showGrid
    /// A session is to be ended.
    case end(session: HubSession.ID)
    /// Record an answer.
    case record
    /// The recording is the answer.
    case finishRecording
    /// The recording is none.
    case discardRecording
    /// An answer that was made elsewhere, for a session.
    case answer(session: HubSession.ID, HubSnapshot.LostAnswer.Content)
    /// A lost answer is to be sent again, by its number.
    case sendAgain(answer: Int)
    /// A lost answer is not wanted any more.
    case discard(answer: Int)
    /// Something that is no answer is to be said to the hub, now or not at all.
    case say(HubCommand)
    /// Stop the agent's words, and listen.
    case interrupt
    /// Close the person's ears to the microphone, or open them.
    case mute(Bool)
    /// A voice's history was cleared.
    case cleared(voice: HubVoice.ID)
    /// Ask the hub for everything again.
    case refresh
    /// A deadline may have passed.
    case tick
}

/// What is to be done.
package enum HubEffect: Sendable, Hashable {
    /// Connect, and call the connection this.
    case connect(socket: Int)
    /// Close a connection.
    case drop(socket: Int)
    /// Say something over a connection, in the order of the effects.
    case send(socket: Int, HubCommand, answer: Int?)
    /// Ask for the sessions.
    case fetchSessions(request: HubSequenceNumber)
    /// Ask for the settings.
    case fetchSettings(request: HubSequenceNumber)
    /// Ask for a voice's history.
    case fetchHistory(voice: HubVoice.ID, request: HubSequenceNumber)
    /// Ask for what was said before a message.
    case fetchOlder(voice: HubVoice.ID, before: HubChatMessage, request: HubSequenceNumber)
    /// Ask for a new session.
    case spawn(voice: HubVoice.ID)
    /// End a session.
    case terminate(session: HubSession.ID)
    /// Tell that a session was read; and that it is looked at, where it is open.
    case markRead(session: HubSession.ID, isOpen: Bool)
    /// Play a clip of a session.
    case play(HubSpeechQueue.Clip, session: HubSession.ID)
    /// Stop playing a clip; no event of it is reported any more.
    case stopPlaying(clip: Int)
    /// Open the microphone: to record, or to wait for the user to speak and to record then.
    case openMicrophone(number: Int, isWatching: Bool)
    /// Record from now on the audio of a microphone that waits for the user to speak.
    case recordMicrophone(number: Int)
    /// Close it, and make a clip of what it heard.
    case finishMicrophone(number: Int)
    /// Close it, and forget what it heard.
    case closeMicrophone(number: Int)
}
