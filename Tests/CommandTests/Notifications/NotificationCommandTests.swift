import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import PerennialCommand

/// Notifications from the command line.
struct NotificationCommandTests {
    @Test func `the receiver of notifications is set, shown and removed`() async throws {
        try await RunningStore.run { store in
            let set = try await store.run(
                "notifications", "receiver", "set", "http://127.0.0.1:9/hook", "--retries", "full",
                environment: "staging")
            let words = """
                url       http://127.0.0.1:9/hook
                version   2
                retries   full
                time-out  10000 ms
                """
            #expect(set.words == words)
            #expect(try JSONValue(set.json)["retries"] == "full")
            let shown = try await store.run("notifications", "receiver", "show", environment: "staging")
            #expect(shown.words == words)
            let faster = try await store.run(
                "notifications", "receiver", "set", "--timeout", "5000", environment: "staging")
            #expect(faster.words == words.replacing("10000", with: "5000"))
            let removed = try await store.run("notifications", "receiver", "remove", environment: "staging")
            #expect(removed.words == "The app gets no more notifications")
            let line = try await store.error("notifications", "receiver", "show")
            #expect(line.hasSuffix("(notificationURLNotFound)"))
        }
    }

    @Test func `a test is listed, shown and sent again`() async throws {
        try await RunningStore.run { store in
            _ = try await store.run("notifications", "receiver", "set", "http://127.0.0.1:9/")
            #expect(try await store.run("notifications", "list").words == "no notifications")
            let asked = try await store.run("notifications", "test")
            let uuid = try #require(try JSONValue(asked.json)["notificationUUID"]?.text)
            #expect(asked.words == "\(uuid) is on its way")
            let list = try await store.run("notifications", "list").words
            #expect(list.contains("TEST") && list.contains("waiting") && list.hasSuffix(uuid))
            let shown = try await store.run("notifications", "show", uuid)
            #expect(shown.words.contains("not attempted yet"))
            let signed = try #require(try JSONValue(shown.json)["signedPayload"]?.text)
            #expect(signed.split(separator: ".").count == 3 && shown.words.hasSuffix(signed))
            // What is signed is printed with its contents.
            let command = try #require(try Words.parse(["notifications", "show", uuid]) as? any StoreCommand)
            #expect(try #require(command.text(of: shown)).contains(#""notificationType" : "TEST""#))
            let plain = try Words.parse(["notifications", "show", uuid, "--no-decoded"]) as? any StoreCommand
            #expect(plain?.text(of: shown) == shown.words)
            let again = try await store.run("notifications", "resend", uuid)
            #expect(again.words == "\(uuid) is sent once more")
        }
    }

    @Test func `an attempt is shown with the receiver's answer`() throws {
        let json = """
            {"at": "2026-01-31T10:00:00Z", "result": "UNSUCCESSFUL_HTTP_RESPONSE_CODE", "httpStatus": 503,
            "response": {"statusLine": "HTTP/1.1 503 Service Unavailable", "body": "full\\nlater", "truncated": true}}
            """
        let attempt = try JSONDecoder().decode(
            NotificationAnswers.Notification.Attempt.self, from: Data(json.utf8))
        #expect(
            attempt.words == """
                2026-01-31T10:00:00Z  UNSUCCESSFUL_HTTP_RESPONSE_CODE (503)
                    HTTP/1.1 503 Service Unavailable
                    full
                    later
                    … (the beginning only)
                """)
    }

    @Test func `faults are injected and ended`() async throws {
        try await RunningStore.run { store in
            _ = try await store.run("notifications", "receiver", "set", "http://127.0.0.1:9/")
            let made = try await store.run(
                "notifications", "faults", "set", "--duplicates", "2", "--percentage", "30", "--seed", "7")
            #expect(made.words.hasSuffix("faults    30 % hit by seed 7: 2 more of each"))
            let delayed = try await store.run("notifications", "faults", "set", "--delay", "500")
            #expect(delayed.words.hasSuffix("30 % hit by seed 7: 2 more of each, delayed up to 500 ms"))
            #expect(try await store.run("notifications", "faults", "show").words.hasPrefix("30 % hit by seed 7"))
            let ended = try await store.run("notifications", "faults", "remove")
            #expect(!ended.words.contains("faults"))
        }
    }

    @Test(
        arguments: [
            ("http://127.0.0.1:9/hook", nil, "http://127.0.0.1:9/hook"),
            ("com.example.magazine=https://example.com/?a=b", "com.example.magazine", "https://example.com/?a=b"),
        ] as [(String, String?, String)])
    func `a target is a URL for all apps or for one`(text: String, bundleID: String?, url: String) throws {
        let target = try #require(NotificationTarget(text))
        #expect((target.bundleID, target.url) == (bundleID, url))
    }

    @Test(arguments: ["example.com", "com.example=ftp://example.com", ""])
    func `other texts are no targets`(text: String) {
        #expect(NotificationTarget(text) == nil)
        #expect(throws: (any Error).self) { try Words.parse(["serve", "--in-memory", "--notifications", text]) }
    }
}
