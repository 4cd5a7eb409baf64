import Synchronization
import Testing

@testable import PerennialSimulation

/// Kills of an exercise: when they come, and what becomes of the requests.
struct ExerciseKillsTests {
    /// Answers each request when the test says so.
    private final class Transport: ExerciseTransport {
        let nodes = ["a", "b"]
        let answers: AsyncStream<Void>

        init(_ answers: AsyncStream<Void>) { self.answers = answers }

        func send(_ request: ExerciseRequest) async -> ExerciseReply {
            for await _ in answers { break }
            return .answer(status: request.node == 0 ? 200 : 201, body: [])
        }
    }

    private static func request(node: Int) -> ExerciseRequest {
        ExerciseRequest(node: node, method: "GET", path: "control/v1/clock", environment: nil, body: nil)
    }

    @Test func `the seed plans the kills within the exercise, of all kinds and nodes`() {
        let plan = ExerciseKills.plan(seed: 7, count: 60, nodes: 3, seconds: 10)
        #expect(plan == ExerciseKills.plan(seed: 7, count: 60, nodes: 3, seconds: 10))
        #expect(plan != ExerciseKills.plan(seed: 8, count: 60, nodes: 3, seconds: 10))
        #expect(plan.count == 60)
        #expect(plan.map(\.at) == plan.map(\.at).sorted())
        #expect(plan.allSatisfy { (1_000..<9_000).contains($0.at) })
        #expect(Set(plan.map(\.node)) == [0, 1, 2])
        #expect(Set(plan.map(\.moment)) == Set(ExerciseKills.Moment.allCases))
    }

    @Test func `a closed gate holds back requests to its node until it opens`() async throws {
        let (answers, answer) = AsyncStream.makeStream(of: Void.self)
        let polls = Mutex(0)
        let (waits, waited) = AsyncStream.makeStream(of: Void.self)
        let time = ExerciseTime(started: "2026-01-01T00:00:00Z", now: { 0 }) { _ in
            polls.withLock { $0 += 1 }
            waited.yield()
            await Task.yield()
        }
        let gate = GatedTransport(Transport(answers), time: time)
        gate.close(0)
        async let held = gate.send(Self.request(node: 0))
        for await _ in waits { break }
        #expect(gate.inFlight(at: 0) == 0)
        // The other node's requests pass.
        async let passed = gate.send(Self.request(node: 1))
        answer.yield()
        guard case .answer(201, _) = await passed else {
            Issue.record("the other node's request was held back")
            return
        }
        gate.open(0)
        answer.yield()
        guard case .answer(200, _) = await held else {
            Issue.record("the request is lost")
            return
        }
        #expect(gate.inFlight(at: 0) == 0 && gate.inFlight(at: 1) == 0)
        #expect(polls.withLock { $0 } > 0)
    }
}
