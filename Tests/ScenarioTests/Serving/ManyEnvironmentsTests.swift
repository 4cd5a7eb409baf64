import Foundation
import TestSupport
import Testing

/// A server with an environment for each of a thousand test runs.
@Suite(.timeLimit(.minutes(5)))
struct ManyEnvironmentsTests {
    private static let count = 1000

    #if os(Linux)
        /// Goal: an idle environment costs no thread. A pool may grow by some while it answers requests, however many
        /// environments they are for.
        @Test func `a thousand idle environments cost no thread`() async throws {
            let store = try await RunningStore.start(data: "", ["--in-memory"])
            try await RunningStore.withClient { client in
                func make(_ numbers: Range<Int>) async throws {
                    for number in numbers {
                        let made = try await RunningStore.ask(
                            client, "\(store.url)/control/v1/environments",
                            [
                                "name": .string("e\(number)"), "kind": "Sandbox",
                                "clock": number.isMultiple(of: 2) ? "manual" : "real",
                            ], bearer: store.controlToken)
                        try #require(made.status < 300, "\(made)")
                        guard number.isMultiple(of: 10) else { continue }
                        let token = try await RunningStore.signIn(client, "\(store.url)/environments/e\(number)", "ann")
                        let bought = try await RunningStore.buy(
                            client, "\(store.url)/environments/e\(number)", "film.roll", token: token, key: "k")
                        try #require(bought.status < 300, "\(bought)")
                    }
                }
                try await make(0..<20)
                let before = try store.process.threads()
                try await make(20..<Self.count)
                let after = try store.process.threads()
                #expect(after <= before + 2, "\(before) threads before, \(after) after")
            }
            await store.stop()
        }
    #endif
}

extension PerennialProcess {
    /// Threads of the process, as Linux lists them.
    fileprivate func threads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/task").count
    }
}
