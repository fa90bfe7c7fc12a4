// Riff
// SPDX-License-Identifier: Apache-2.0

/// The frames of a hub with many sessions, in the form of the recordings of a hub of 279d9d6.
struct Grid {
    let sessions: Int
    let listEvery: Int

    func id(_ session: Int) -> String { "voice-\(session)-883b4c" }

    /// The list of all sessions.
    var list: String {
        let voices = ["af_sky", "af_alloy", "af_sarah", "am_adam", "am_echo", "am_onyx", "bm_fable"]
        let all = (0..<sessions).map { session in
            let voice = session < voices.count ? voices[session] : "zz_voice_\(session)"
            return #"{"session_id":"\#(id(session))","tmux_session":"\#(id(session))","state":"idle","status":"ready","#
                + #""processing":false,"in_wait":true,"compacting":false,"created_at":1795230886.9549487,"#
                + #""last_activity":1795230925.5142527,"label":"Voice \#(session)","voice":"\#(voice)","speed":1.0,"#
                + #""status_text":"Waiting","project":"","project_area":"","model":"opus","unread_count":1,"#
                + #""work_dir":"/home/me/work","project_slug":"default"}"#
        }
        return #"{"type":"session_list","sessions":[\#(all.joined(separator: ","))]}"#
    }

    /// Frames of all sessions in turn: what an agent does, in words; what it says; what state it is in. A list of all
    /// sessions between them now and then.
    func frames(_ count: Int, round: Int) -> [String] {
        (0..<count).map { number in
            if number % listEvery == listEvery - 1 { return list }
            let session = #""session_id":"\#(id(number % sessions))""#
            let turn = number / sessions
            let word = "\(round)-\(turn)"
            switch turn % 12 {
            case 0: return #"{\#(session),"type":"thinking"}"#
            case 1: return #"{"type":"session_status",\#(session),"state":"processing","status_text":"Working"}"#
            case 4, 8:
                return text("Piece \(word) of what the agent has to say about it", "m\(number)-\(round)", session)
            case 9: return #"{\#(session),"type":"status","text":"Speaking..."}"#
            case 10: return #"{"type":"session_status",\#(session),"state":"idle","status_text":"Waiting"}"#
            case 11: return #"{\#(session),"type":"listening","state":"idle"}"#
            default: return #"{"type":"activity_text",\#(session),"text":"Reading file \#(word)"}"#
            }
        }
    }

    private func text(_ text: String, _ id: String, _ session: String) -> String {
        #"{\#(session),"type":"assistant_text","text":"\#(text)","msg_id":"\#(id)","fire_and_forget":true}"#
    }
}
