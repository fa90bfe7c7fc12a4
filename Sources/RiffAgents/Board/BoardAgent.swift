// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// One agent of a host: what was seen of it, and what is to be looked at again.
struct BoardAgent {
    let id: String
    let adapter: AgentAdapter
    /// The process; `nil` for a thread.
    let pid: Int?
    /// When it began, in the host's seconds since 1970.
    let began: Int
    private(set) var pane: String?
    var observer: AgentObserver
    var directory: String?
    var title: String?
    /// The name in its state file.
    private var ownName: String?
    var conversation: String?
    var job: String?
    /// The record that it writes, and how many of its lines were taken.
    var record: String?
    var takenLines = 0
    /// When its window was drawn into last, in tmux's whole seconds, and when that was first seen here.
    private var activity: String?
    private var activityAt = Duration.zero
    private var shownAt: Duration?
    private var searchedAt: Duration?
    private var state: [UInt8]?

    var kind: AgentKind { adapter.kind }

    init(
        id: String,
        _ adapter: AgentAdapter,
        _ process: BoardProcess?,
        pane: String?,
        size: TerminalSize?,
        at time: Duration
    ) {
        self.id = id
        self.adapter = adapter
        pid = process?.pid
        began = process?.began ?? 0
        self.pane = pane
        observer = AgentObserver(agent: adapter.kind, facts: adapter.facts, size: size)
        if pane == nil { observer.trustOwnWord() }
        observer.take(.started, at: time)
    }

    mutating func leavePane(at time: Duration) {
        pane = nil
        observer = AgentObserver(agent: adapter.kind, facts: adapter.facts, size: nil)
        observer.trustOwnWord()
        observer.take(.started, at: time)
        state = nil
        record = nil
        takenLines = 0
    }

    /// Takes the state file as it is now.
    mutating func takeState(_ bytes: [UInt8]?, at time: Duration) {
        guard bytes != state else { return }
        state = bytes
        guard let bytes else {
            observer.take(.statusFile(nil), at: time)
            return
        }
        let json = try? JSONValue(parsing: bytes)  // What is broken is told by the observer.
        observer.take(.statusFile(bytes), at: time)
        guard let json else { return }
        conversation = json["sessionId"]?.text.flatMap { ConversationID.isPlain($0) ? $0 : nil }
        if pane == nil { directory = json["cwd"]?.text }
        // Before its first prompt the terminal's title is an answer that was meant for nobody.
        ownName = json["name"]?.text
        if json["kind"]?.text == "bg" { job = json["jobId"]?.text.map { InertText.quote($0, limitBytes: 80) } ?? "" }
    }

    /// Its pane, if what it shows can change the state.
    func paneToShow(_ panes: [String: BoardPane]) -> String? {
        guard let id = pane, let pane = panes[id], !pane.isDead else { return nil }
        // The time of drawing is in whole seconds: what came in the same second is seen by one look more.
        // An old tmux does not tell when it draws.
        return pane.activity.isEmpty || !isAfterActivity(shownAt) ? id : nil
    }

    /// Whether its record is to be searched: it comes with a prompt, which is drawn as well.
    var needsSearch: Bool { pane != nil && record == nil && !isAfterActivity(searchedAt) }

    /// Whether it may have been drawn into since it was looked at.
    var isUnsettled: Bool { pane != nil && !isAfterActivity(shownAt) }

    /// Whether a time is after all that was drawn in the second of the last drawing.
    private func isAfterActivity(_ time: Duration?) -> Bool { time.map { $0 >= activityAt + .seconds(1) } ?? false }

    mutating func noteActivity(_ new: String, at time: Duration) {
        guard activity != new else { return }
        activity = new
        activityAt = time
    }

    mutating func noteSearch(at time: Duration) { searchedAt = time }

    /// Takes what its pane shows.
    mutating func show(_ picture: [[UInt8]], pane: BoardPane, at time: Duration) {
        shownAt = time
        observer.show(picture, size: pane.size, title: pane.title, at: time)
    }

    func listing(host: String, pane: BoardPane?) -> AgentListing {
        let place: AgentListing.Place =
            if let id = self.pane, let pane {
                .pane(session: InertText.quote(pane.session, limitBytes: 200), id: id)
            } else if pid == nil {
                .thread
            } else if let job {
                .job(job)
            } else {
                .process
            }
        return AgentListing(
            id: "\(host)/\(id)",
            host: host,
            kind: kind,
            place: place,
            report: observer.report,
            directory: directory.map { InertText.quote($0, limitBytes: 1000) },
            title: (ownName ?? title).map { InertText.quote($0, limitBytes: 200) },
            conversation: conversation,
            pid: pid
        )
    }
}
