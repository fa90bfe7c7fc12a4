// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffServer
import Testing

struct PushVerdictTests {
    @Test(arguments: [
        (200, "", PushVerdict.sent),
        (410, #"{"reason":"Unregistered","timestamp":1700000000000}"#, .dead(reason: "Unregistered", since: 1.7e9)),
        (410, #"{"reason":"ExpiredToken"}"#, .dead(reason: "ExpiredToken", since: nil)),
        (410, #"{"reason":"Unregistered","timestamp":-1}"#, .dead(reason: "Unregistered", since: nil)),
        (400, #"{"reason":"BadDeviceToken"}"#, .dead(reason: "BadDeviceToken", since: nil)),
        (400, #"{"reason":"DeviceTokenNotForTopic"}"#, .refused(reason: "DeviceTokenNotForTopic")),
        (400, #"{"reason":"TopicDisallowed"}"#, .refused(reason: "TopicDisallowed")),
        (403, #"{"reason":"ExpiredProviderToken"}"#, .expired),
        (403, #"{"reason":"InvalidProviderToken"}"#, .refused(reason: "InvalidProviderToken")),
        (413, #"{"reason":"PayloadTooLarge"}"#, .refused(reason: "PayloadTooLarge")),
        (429, #"{"reason":"TooManyProviderTokenUpdates"}"#, .again(reason: "TooManyProviderTokenUpdates")),
        (500, #"{"reason":"InternalServerError"}"#, .again(reason: "InternalServerError")),
        (503, "", .again(reason: "status 503")), (502, "<html>", .again(reason: "status 502")),
        (404, #"{"reason":7}"#, .refused(reason: "status 404")),
        (400, #"{"reason":"two words"}"#, .refused(reason: "status 400")),
        (400, #"{"reason":""}"#, .refused(reason: "status 400")), (302, "", .refused(reason: "status 302")),
    ])
    func `an answer is read as the service means it`(status: Int, body: String, verdict: PushVerdict) {
        #expect(PushVerdict(status: status, body: Array(body.utf8)) == verdict)
    }
}
