import Dispatch
import Synchronization
import Testing

@testable import PerennialStorage

/// The queue of password hashes: ordered, bounded and cancellable.
struct PasswordHasherTests {
    /// A gate at which workers wait, so that a test controls them.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)

        func pass() { semaphore.wait() }
        func open(for count: Int = 1) { for _ in 0..<count { semaphore.signal() } }
    }

    private func wait(
        for hasher: PasswordHasher, _ condition: (PasswordHasher.Load) -> Bool
    ) async {
        while !condition(hasher.load) { await Task.yield() }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [1, 2, 3])
    func `running and waiting hashes are limited`(workers: Int) async throws {
        let (hasher, gate) = (PasswordHasher(workers: workers, capacity: 4), Gate())
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in 0..<workers {
                group.addTask {
                    try await hasher.run(for: "ann", isSignUp: false) {
                        gate.pass()
                        return [UInt8(number)]
                    }
                }
            }
            // All workers are at work: none of what comes now has been taken.
            await wait(for: hasher) { $0 == .init(waiting: 0, running: workers) }
            for number in 0..<4 {
                group.addTask { try await hasher.run(for: "ann", isSignUp: false) { [UInt8(10 + number)] } }
            }
            await wait(for: hasher) { $0 == .init(waiting: 4, running: workers) }
            await #expect(throws: PasswordRefusal(.overloaded, retryAfter: 3)) {
                try await hasher.run(for: "ann", isSignUp: false) { [99] }
            }
            gate.open(for: workers)
            let hashes = try await group.reduce(into: Set<UInt8>()) { $0.formUnion($1) }
            #expect(hashes == Set((0..<UInt8(workers)) + [10, 11, 12, 13]))
        }
        #expect(hasher.load.waiting == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a caller cancelled while waiting isn't hashed`() async throws {
        let (hasher, gate) = (PasswordHasher(workers: 1, capacity: 4), Gate())
        async let first = hasher.run(for: "ann", isSignUp: false) {
            gate.pass()
            return [1]
        }
        await wait(for: hasher) { $0 == .init(waiting: 0, running: 1) }
        let cancelled = (0..<3).map { _ in
            Task {
                try await hasher.run(for: "ann", isSignUp: false) {
                    Issue.record("hashed for a cancelled caller")
                    return [2]
                }
            }
        }
        await wait(for: hasher) { $0.waiting == 3 }
        for task in cancelled { task.cancel() }
        for task in cancelled { await #expect(throws: CancellationError.self) { try await task.value } }
        #expect(hasher.load == .init(waiting: 0, running: 1))
        gate.open()
        #expect(try await first == [1])
    }

    @Test(.timeLimit(.minutes(5)))
    func `a caller cancelled before isn't hashed`() async throws {
        let (hasher, gate) = (PasswordHasher(workers: 1, capacity: 4), Gate())
        async let first = hasher.run(for: "ann", isSignUp: false) {
            gate.pass()
            return [1]
        }
        await wait(for: hasher) { $0 == .init(waiting: 0, running: 1) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await hasher.run(for: "ben", isSignUp: false) { [2] }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
        #expect(try await first == [1])
    }

    @Test(.timeLimit(.minutes(5)))
    func `many sign-ups don't displace sign-ins`() async throws {
        let (hasher, gate) = (PasswordHasher(workers: 1, capacity: 8), Gate())
        async let first = hasher.run(for: "mallory", isSignUp: true) {
            gate.pass()
            return [1]
        }
        await wait(for: hasher) { $0 == .init(waiting: 0, running: 1) }
        let refused = Counter()
        for number in 0..<200 {
            Task {
                do {
                    _ = try await hasher.run(for: "host \(number)", isSignUp: true) { [2] }
                } catch is PasswordRefusal {
                    refused.count()
                }
            }
        }
        while refused.value < 192 { await Task.yield() }
        #expect(hasher.load.waiting == 8)
        let signIns = (0..<3).map { _ in Task { try await hasher.run(for: "ann", isSignUp: false) { [3] } } }
        // Their room is taken from sign-ups.
        while refused.value < 195 { await Task.yield() }
        #expect(hasher.load.waiting == 8)
        gate.open()
        #expect(try await first == [1])
        for task in signIns { #expect(try await task.value == [3]) }
    }

    private final class Counter: Sendable {
        private let number = Mutex(0)

        var value: Int { number.withLock { $0 } }
        func count() { number.withLock { $0 += 1 } }
    }

    @Test func `an error of hashing is thrown to its caller`() async {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await PasswordHasher().run(for: "", isSignUp: false) { throw Failure() }
        }
    }
}
