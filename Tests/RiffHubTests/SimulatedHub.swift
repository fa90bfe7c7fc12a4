// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import RiffTesting

/// A hub and a client, in one virtual time, without a task or a socket: every run of it is the same. The person answers
/// whatever the agent says, two seconds after the microphone opens by itself.
struct SimulatedHub {
    /// Where a connection breaks.
    enum Cut: Hashable {
        /// Before this message of either side arrives.
        case before(Int)
        /// Right after it: its receiver has it.
        case after(Int)
    }

    private enum Action {
        case open(socket: Int)
        case toClient(socket: Int, String)
        case toHub(socket: Int, HubCommand, answer: Int?)
        case client(HubEvent)
        case hub(step: Int, Phase)
        case hubSeesEnd(socket: Int)
        case rest(HubEffect)
        case ends(microphone: Int)
        case arrived(socket: Int, answer: Int)
        case rival(step: Int)
        case answers(turn: Int)
        case pings
        case dies(turn: Int)
    }

    enum Phase: Hashable { case speaking, playback, played, waiting, listening, transcribing, over }

    let turns: Int
    var cuts: Set<Cut>
    /// How long REST calls fail after a cut as well.
    var outage = Duration.zero
    /// How long the hub needs to make words of an answer.
    var transcription = Duration.milliseconds(500)
    var generation = HubGeneration.first
    /// Whether a second client hears everything as well, and answers every third turn, in which the person says
    /// nothing.
    var hasRival = false
    /// Whether the person speaks into the agent's words.
    var bargesIn = false
    /// Whether something is written into every fourth turn: its listening is over at once (43321fe).
    var isInterjected = false
    /// Turns in which the hub dies once while it makes words of the answer: the answer is gone with it.
    var deaths: Set<Int> = []
    /// Whether answers are made elsewhere while the agent speaks, and wait for the hub.
    var answersEarly = false

    private(set) var stage = Stage()
    private(set) var hubHears: [[UInt8]] = []
    /// Answers whose words came into the history.
    private(set) var understood: [[UInt8]] = []
    private(set) var drained = 0
    private(set) var recorded: [[UInt8]] = []
    private(set) var messages = 0
    private(set) var cutsMade = 0
    private(set) var longestMicrophone = Duration.zero
    private(set) var longestTranscribing = Duration.zero
    private(set) var phase = Phase.speaking
    /// How often the client ended the playing of something that it never had.
    private(set) var falseDones = 0
    private(set) var rivalAnswers = 0
    private(set) var interruptions = 0
    private(set) var openings = 0

    private var queue: [(time: Duration, order: Int, action: Action)] = []
    private var order = 0
    private var client: Int?
    private var live: Int?
    private var step = 0
    private var turn = 0
    private var history: [HubChatMessage] = []
    private var restFrom = Duration.zero
    private var openMicrophone: (number: Int, since: Duration)?
    private var isSpeaking = false
    /// Turns whose sound came to the client.
    private var delivered: Set<Int> = []
    /// Turns that were answered before they were listened to.
    private var answered: Set<Int> = []
    private var transcribingSince: Duration?
    /// The number of times that the hub has begun.
    private var made = 1

    init(turns: Int, cuts: Set<Cut> = [], outage: Duration = .zero) {
        (self.turns, self.cuts, self.outage) = (turns, cuts, outage)
    }

    var isOver: Bool { phase == .over }

    /// Runs until the conversation is over, or for so long.
    mutating func run(for limit: Duration) throws {
        stage.arrives = false
        perform(stage.send(.connection(.start)))
        say(next: .speaking, after: .milliseconds(500))
        schedule(.pings, after: .seconds(30))
        while !isOver || stage.card.waitingAnswers > 0, stage.now < limit {
            let tick = stage.machine.deadline
            let first = queue.indices.min { (queue[$0].time, queue[$0].order) < (queue[$1].time, queue[$1].order) }
            guard let first, tick.map({ queue[first].time <= $0 }) ?? true else {
                guard let tick else { return }
                stage.now = max(stage.now, tick)
                perform(stage.send(.tick))
                watch()
                continue
            }
            let (time, _, action) = queue.remove(at: first)
            stage.now = max(stage.now, time)
            try handle(action)
            watch()
        }
    }

    private mutating func schedule(_ action: Action, after time: Duration) {
        order += 1
        queue.append((stage.now + time, order, action))
    }

    private mutating func watch() {
        if let (_, since) = openMicrophone { longestMicrophone = max(longestMicrophone, stage.now - since) }
        guard stage.card.state == .transcribing else { return transcribingSince = nil }
        transcribingSince = transcribingSince ?? stage.now
        longestTranscribing = max(longestTranscribing, stage.now - (transcribingSince ?? stage.now))
    }

    private mutating func handle(_ action: Action) throws {
        switch action {
        case .open(let socket):
            (client, live) = (socket, socket)
            perform(stage.send(.connection(.opened(socket: socket))))
            tell(json: #"{"type":"session_list","sessions":[\#(session)]}"#)
            if phase == .waiting { say(next: .listening, after: .milliseconds(1_200)) }
        case .toClient(let socket, let text):
            guard live == socket else { return }
            if isCut({ .before($0) }) { return cut(socket) }
            stage.socket = socket
            if text.contains(#""type":"audio""#) { delivered.insert(turn) }
            perform(try stage.hear(json: text))
            speak()
            if isCut({ .after($0) }) { cut(socket) }
            messages += 1
        case .toHub(let socket, let command, let answer):
            guard live == socket else {
                return
            }
            if isCut({ .before($0) }) { return cut(socket) }
            take(command)
            if isCut({ .after($0) }) { cut(socket) }
            messages += 1
            if let answer { schedule(.arrived(socket: socket, answer: answer), after: .milliseconds(20)) }
        case .arrived(let socket, let answer):
            guard live == socket else { return }
            perform(stage.send(.arrived(session: "voice-1-a", answer: answer)))
        case .client(let event): perform(stage.send(event))
        case .dies(let turn):
            guard phase == .transcribing, turn == self.turn else { return }
            // Nothing of it remains; whoever waits for an answer asks again.
            made += 1
            step += 1
            phase = generation == .inbox ? .listening : .waiting
            if let live { cut(live) }
        case .hub(let step, let next): if step == self.step { enter(next) }
        case .rival(let step):
            guard step == self.step || phase == .listening, isRivals else { return }
            rivalAnswers += 1
            enter(.transcribing)
        case .answers(let turn):
            guard turn == self.turn, answered.insert(turn).inserted else { return }
            let clip = nextClip()
            recorded.append(clip)
            perform(stage.send(.answer(session: "voice-1-a", .clip(clip))))
        case .pings:
            tell(json: #"{"type":"ping"}"#)
            schedule(.pings, after: .seconds(30))
        case .hubSeesEnd(let socket):
            guard client == socket else { return }
            client = nil
            if hasRival || generation == .inbox { return }
            if phase == .playback || phase == .played || phase == .listening { enter(.waiting) }
        case .rest(let effect): answer(effect)
        case .ends(let number): if openMicrophone?.number == number { perform(stage.send(.finishRecording)) }
        }
    }

    private func isCut(_ cut: (Int) -> Cut) -> Bool { cuts.contains(cut(messages)) }

    private mutating func cut(_ socket: Int) {
        cuts.remove(.before(messages))
        cuts.remove(.after(messages))
        cutsMade += 1
        live = nil
        restFrom = stage.now + outage
        schedule(.client(.connection(.closed(socket: socket))), after: .milliseconds(20))
        schedule(.hubSeesEnd(socket: socket), after: .milliseconds(50))
    }

    // MARK: The client's world

    private mutating func perform(_ effects: [HubEffect]) {
        for effect in effects {
            switch effect {
            case .connect(let socket): schedule(.open(socket: socket), after: .milliseconds(50))
            case .drop(let socket): if live == socket { cut(socket) }
            case .send(let socket, let command, let answer):
                if live == socket {
                    schedule(.toHub(socket: socket, command, answer: answer), after: .milliseconds(20))
                } else if let answer {
                    schedule(.client(.notSent(session: command.session, answer: answer)), after: .zero)
                }
            case .play(let clip, _):
                schedule(.client(.played(clip: clip.number, nil)), after: .seconds(1))
                if answersEarly, !isRivals { schedule(.answers(turn: turn), after: .milliseconds(500)) }
            case .openMicrophone(let number, let isWatching):
                (openMicrophone, isSpeaking) = (isWatching ? nil : (number, stage.now), false)
                openings += 1
                if isWatching, bargesIn, !isRivals {
                    interruptions += 1
                    schedule(.client(.interrupted(microphone: number)), after: .milliseconds(400))
                    (openMicrophone, isSpeaking) = ((number, stage.now), true)
                    schedule(.ends(microphone: number), after: .seconds(2))
                }
                speak()
            case .finishMicrophone(let number):
                openMicrophone = nil
                let clip = nextClip()
                recorded.append(clip)
                schedule(.client(.recorded(microphone: number, clip, nil)), after: .milliseconds(10))
            case .closeMicrophone(let number):
                openMicrophone = nil
                schedule(.client(.recorded(microphone: number, nil, nil)), after: .milliseconds(10))
            case .recordMicrophone(let number):
                (openMicrophone, isSpeaking) = ((number, stage.now), false)
                speak()
            case .stopPlaying, .spawn, .terminate, .markRead, .fetchOlder: break
            case .fetchSessions, .fetchSettings, .fetchHistory: schedule(.rest(effect), after: .milliseconds(50))
            }
        }
    }

    /// Whether the second client answers, and the person does not.
    private var isRivals: Bool { hasRival && turn % 3 == 2 }
    private var isInterjectedInto: Bool { isInterjected && turn % 4 == 3 }

    private func nextClip() -> [UInt8] { [UInt8(recorded.count % 256), UInt8(recorded.count / 256)] }

    /// The person speaks into a microphone that is open, where the agent waits for them.
    private mutating func speak() {
        if answersEarly, phase == .listening { schedule(.answers(turn: turn), after: .milliseconds(500)) }
        guard let (number, _) = openMicrophone, !isSpeaking, !isRivals, !isInterjectedInto else { return }
        guard !answersEarly, phase == .listening || phase == .played || phase == .waiting else { return }
        isSpeaking = true
        schedule(.client(.spoke(microphone: number)), after: .milliseconds(300))
        schedule(.ends(microphone: number), after: .seconds(2))
    }

    private mutating func answer(_ effect: HubEffect) {
        guard stage.now >= restFrom else {
            if case .fetchHistory(let voice, let request) = effect {
                schedule(.client(.historyFailed(voice: voice, request: request)), after: .milliseconds(50))
            }
            return
        }
        switch effect {
        case .fetchSessions(let request):
            guard let session = (try? JSONValue(parsing: session)).flatMap(HubSession.init(json:)) else { return }
            schedule(.client(.sessions(request: request, [session])), after: .milliseconds(50))
        case .fetchSettings(let request):
            let settings = HubSettings(json: [
                "auto_record": .bool(!answersEarly), "auto_end": true, "auto_interrupt": .bool(bargesIn),
            ])
            schedule(.client(.settings(request: request, settings)), after: .milliseconds(50))
            if turn == 0, stage.machine.openSession == nil {
                schedule(.client(.open(voice: "af_sky")), after: .milliseconds(60))
            }
        case .fetchHistory(let voice, let request):
            let page = HubService.HistoryPage(history.suffix(200))
            schedule(.client(.history(voice: voice, request: request, page)), after: .milliseconds(50))
        default: break
        }
    }

    // MARK: The hub

    private var session: String {
        let text: String
        switch phase {
        case .speaking, .playback, .played: text = "Speaking..."
        case .waiting: text = "Waiting for client..."
        case .listening: text = "Listening..."
        case .transcribing: text = "Transcribing..."
        case .over: text = ""
        }
        switch generation {
        case .first: return Stage.session("voice-1-a", "af_sky", text: text)
        case .words: return Stage.session("voice-1-a", "af_sky", text: text, more: #","unread_count":0"#)
        default:
            let more = #","unread_count":0,"state":"\#(state)","created_at":\#(made)"#
            return Stage.session("voice-1-a", "af_sky", more: more)
        }
    }

    /// Hubs with states count as idle while they make words of an answer.
    private var state: String {
        switch phase {
        case .listening, .transcribing: "idle"
        default: "processing"
        }
    }

    private var processing: String { generation == .first ? "" : #","processing":\#(generation == .words)"# }

    private mutating func note(_ role: HubChatMessage.Role, _ text: String) -> String {
        let id = generation == .inbox ? HubChatMessage.ID(rawValue: "m\(history.count)") : nil
        history.append(HubChatMessage(role, text, time: 1_000 + Double(history.count), id: id))
        return id.map { #","msg_id":"\#($0)""# } ?? ""
    }

    private mutating func tell(json text: String) {
        guard let client, live == client else { return }
        schedule(.toClient(socket: client, text), after: .milliseconds(20))
    }

    private mutating func tell(_ type: String, _ members: String = "") {
        tell(json: #"{"session_id":"voice-1-a","type":"\#(type)"\#(members)}"#)
    }

    private mutating func say(next: Phase, after time: Duration) { schedule(.hub(step: step, next), after: time) }

    private mutating func enter(_ next: Phase) {
        step += 1
        phase = next
        switch next {
        case .speaking:
            let text = "This is turn \(turn)."
            let id = note(.assistant, text)
            if generation != .first { tell("thinking") }
            if generation == .inbox {
                tell("session_status", #","state":"processing","status_text":"Processing...""#)
                tell("assistant_text", #","text":"\#(text)","fire_and_forget":true"# + id)
                tell("audio", #","data":"//uQ\#(["AA", "AQ", "Ag", "Aw"][turn % 4])==""#)
                say(next: .listening, after: .milliseconds(300))
                return
            }
            tell("assistant_text", #","text":"\#(text)""#)
            tell("status", #","text":"Speaking...""#)
            say(next: .playback, after: .milliseconds(300))
        case .playback:
            tell("audio", #","data":"//uQ\#(["AA", "AQ", "Ag", "Aw"][turn % 4])==""#)
            guard client != nil || hasRival else { return enter(.waiting) }
            // The second client hears it more slowly.
            if hasRival { say(next: .played, after: .seconds(3)) }
            if isInterjectedInto {
                _ = note(.user, "and this \(turn)")
                tell("user_text", #","text":"and this \#(turn)","interjection":true"#)
            }
        case .played where isInterjectedInto, .listening where isInterjectedInto:
            // The agent has what it waits for: it listens and does not, in one instant.
            tell("listening")
            tell("done", processing)
            turn += 1
            phase = .speaking
            if turn < turns { say(next: .speaking, after: .milliseconds(10)) } else { phase = .over }
        case .played: say(next: .listening, after: .milliseconds(200))
        case .waiting: if client != nil { say(next: .listening, after: .milliseconds(1_200)) }
        case .listening:
            guard client != nil || hasRival || generation == .inbox else { return enter(.waiting) }
            if isRivals { schedule(.rival(step: step), after: .milliseconds(1_200)) }
            tell("listening")
            if generation == .inbox {
                tell("session_status", #","state":"idle","status_text":"Waiting""#)
            } else {
                say(next: .listening, after: .seconds(5))
            }
        case .transcribing:
            tell("status", #","text":"Transcribing...""#)
            if deaths.remove(turn) != nil {
                schedule(.dies(turn: turn), after: .milliseconds(200))
                return
            }
            schedule(.hub(step: step, .over), after: transcription)
        case .over:
            // The words are there; the next turn follows within milliseconds.
            if let last = hubHears.last, !isRivals, understood.last != last { understood.append(last) }
            let id = note(.user, "answer \(turn)")
            tell("user_text", #","text":"answer \#(turn)""# + id)
            tell("done", processing)
            turn += 1
            if turn < turns {
                phase = .speaking
                say(next: .speaking, after: .milliseconds(10))
            }
        }
    }

    private mutating func take(_ command: HubCommand) {
        switch (command, phase) {
        case (.playbackDone, .playback):
            if !delivered.contains(turn) { falseDones += 1 }
            enter(.played)
        case (.audio(_, let bytes), .playback), (.audio(_, let bytes), .listening):
            guard !bytes.isEmpty else { return }
            hubHears.append(bytes)
            enter(.transcribing)
        case (.audio(_, let bytes), _): if !bytes.isEmpty { drained += 1 }
        default: break
        }
    }
}
