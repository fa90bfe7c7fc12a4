// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffTransport

// sample: http: any HTTPTransport, webSockets: any WebSocketTransport
/// Connects to a hub, gives the client to a body, and ends it when the body has returned or thrown.
///
/// ```swift
/// try await withHub(try HubAddress("http://127.0.0.1:3460"), http: http, webSockets: webSockets) { hub in
///     await hub.open(voice: "af_sky")
///     for await snapshot in hub.updates() { show(snapshot) }
/// }
/// ```
///
/// - Parameters:
///   - address: Where the hub is.
///   - http: What sends its REST calls.
///   - webSockets: What opens its WebSocket.
///   - devices: What the client hears and speaks with.
///   - configuration: How it behaves.
///   - clock: Measures all waits.
///   - body: Uses the client; it goes on when the connection is lost, since that comes back.
/// - Returns: What the body returns.
/// - Throws: What the body throws.
public func withHub<Result: Sendable>(
    _ address: HubAddress,
    http: any HTTPTransport,
    webSockets: any WebSocketTransport,
    devices: HubDevices = HubDevices(),
    configuration: HubClient.Configuration = HubClient.Configuration(),
    clock: any Clock<Duration> = ContinuousClock(),
    _ body: (HubClient) async throws -> Result
) async throws -> Result {
    let client = HubClient(
        address,
        http: http,
        webSockets: webSockets,
        devices: devices,
        configuration: configuration,
        clock: clock
    )
    await client.start()
    do {
        let result = try await body(client)
        await client.shutdown()
        return result
    } catch {
        await client.shutdown()
        throw error
    }
}
