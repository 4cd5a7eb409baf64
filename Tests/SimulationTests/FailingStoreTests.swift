import Foundation
import Perennial
import Synchronization
import Testing

@testable import PerennialSimulation

/// Exercises of stores that fail, and the answers that count as none.
struct FailingStoreTests {
    /// Answers the preparation, and everything else with one reply.
    private struct Transport: ExerciseTransport {
        let nodes = ["a"]
        let reply: ExerciseReply

        func send(_ request: ExerciseRequest) async -> ExerciseReply {
            if request.path == "control/v1/environments" { return .answer(status: 201, body: Array("{}".utf8)) }
            guard request.path.hasSuffix("/products") else { return reply }
            let product = #"{"productId": "film", "type": "consumable", "clearedForSale": true}"#
            return .answer(status: 200, body: Array(#"{"products": [\#(product)]}"#.utf8))
        }
    }

    /// Exercises a store for some steps on a clock of the test's, and checks what was recorded.
    private static func outcome(of reply: ExerciseReply) async throws -> HistoryCheck.Outcome {
        let now = Mutex<Int64>(0)
        let time = ExerciseTime(started: "2026-01-01T00:00:00Z", now: { now.withLock { $0 } }) { milliseconds in
            now.withLock { $0 += Int64(milliseconds) * 1_000 }
            await Task.yield()
        }
        let lines = Mutex(Data())
        let recorder = HistoryRecorder(time) { line in lines.withLock { $0 += line } }
        var plan = ExercisePlan(seed: 1, app: "com.example.magazine")
        plan.length = .steps(3)
        plan.settleSeconds = 5
        let control = ExerciseControl(plan, now: time.now)
        _ = try await Exercise(plan, over: Transport(reply: reply), recorder, time: time, control: control).run()
        return HistoryCheck([try RecordedHistory(lines.withLock { $0 }, name: "history")]).run()
    }

    @Test(arguments: [
        (500, "HTTP 500"), (501, "HTTP 501"), (503, "HTTP 503 without Retry-After"), (400, "without a code"),
    ])
    func `a store that fails at everything breaks a rule`(status: Int, words: String) async throws {
        let outcome = try await Self.outcome(of: .answer(status: status, body: Array("{}".utf8)))
        let failures = outcome.violations.filter { $0.rule == .unexpectedError }
        #expect(failures.contains { $0.what.contains(words) }, "\(outcome.violations)")
        #expect(!outcome.succeeded)
    }

    @Test func `a store that is away breaks no rule, and leaves its history undecided`() async throws {
        for reply in [ExerciseReply.unavailable, .lost(reason: "timed out"), .answer(status: 502, body: [])] {
            let outcome = try await Self.outcome(of: reply)
            #expect(outcome.violations == [])
            #expect(!outcome.undecided.isEmpty)
        }
    }

    @Test(arguments: [408, 425, 429, 502, 504])
    func `a status after which a request may be repeated is no answer`(status: Int) {
        #expect(ExerciseStore.answer(status, []) { _ in .done } == .unknown(reason: "HTTP \(status)"))
    }
}
