// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExampleTerminal
import Foundation
import RiffCore
import RiffHTTP
import RiffHub
import RiffTransport

/// The grid of voices of a ClawMux hub in a terminal.
@main
struct RiffHubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "riff-hub",
        abstract: "Shows the voices of a ClawMux hub, and talks with one of them.",
        discussion: """
            riff-hub http://127.0.0.1:3460                        the grid; a number and Return open a voice
            riff-hub --speak-to heard http://127.0.0.1:3460       what is said as WAV files in a folder
            riff-hub --microphone 'pw-record --rate 16000 --channels 1 --format s16 -' http://127.0.0.1:3460

            \(GridCommand.usage). Return alone records, and sends what was recorded. Where the input is no terminal, each of \
            its lines is a command, and what happens is written in lines.
            """
    )

    @Argument(help: "The hub's address.")
    var hub = "http://127.0.0.1:3460"
    @OptionGroup var sound: SoundOptions
    @Option(help: "How many seconds a script waits for anything, such as a new session.")
    var patience = 120

    func validate() throws {
        guard patience > 0 else { throw ValidationError("--patience is at least one second.") }
    }

    func run() async throws {
        let http = try AsyncHTTPTransport()
        let result: Result<Void, any Error>
        do { result = .success(try await work(over: http)) } catch { result = .failure(error) }
        await http.shutdown()
        do {
            try result.get()
        } catch let error as any RiffError {
            throw ExampleFailure(error.message)
        }
    }

    private func work(over http: AsyncHTTPTransport) async throws {
        let address = try HubAddress(hub)
        let (devices, files) = try sound.devices()
        let sockets = try NIOWebSocketTransport()
        try await withHub(address, http: http, webSockets: sockets, devices: devices) { client in
            try files?.begin()
            defer { files?.end() }
            let desk = VoiceDesk(hub: client)
            guard PersonsTerminal.isThere else {
                return try await PipedGrid(desk, files, patience: .seconds(patience)).run()
            }
            let terminal = try PersonsTerminal(isOnOtherScreen: true)
            await GridRoom(desk, files, address: "\(address)", on: terminal).run()
            terminal.restore()
        }
    }
}
