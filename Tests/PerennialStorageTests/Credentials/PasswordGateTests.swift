import Dispatch
import Perennial
import Synchronization
import Testing

@testable import PerennialStorage

/// Limits on wrong passwords, and their refusals.
struct PasswordGateTests {
    private final class Clock: Sendable {
        private let instant = Mutex(Instant(seconds: 1_767_225_600))

        var now: Instant { instant.withLock { $0 } }
        func advance(by milliseconds: Int64) { instant.withLock { $0 = $0 + milliseconds } }
    }

    private static let here = ClientAddress(network: "192.0.2.1", isLoopback: false)
    private static let elsewhere = ClientAddress(network: "192.0.2.2", isLoopback: false)
    private static let loopback = ClientAddress(network: "127.0.0.1", isLoopback: true)

    private let clock = Clock()
    private let gate: PasswordGate

    init() {
        gate = PasswordGate(cost: PasswordHashTests.cheap, clock: { [clock] in clock.now })
    }

    /// Returns true for the correct password; `nil` if it isn't checked.
    private func guess(
        _ password: String, at known: PasswordHash?, of account: String = "ann", from address: ClientAddress? = here
    ) async throws -> Bool? {
        do {
            return try await gate.admits(password, known: known, account: account, from: address)
        } catch let refusal as PasswordRefusal where refusal.code == .tooManyGuesses {
            return nil
        }
    }

    @Test func `only the correct password is admitted`() async throws {
        let known = try await gate.hash("sésame", salt: [1])
        #expect(try await guess("sésame", at: known) == true)
        for wrong in ["", "sesame", String(repeating: "s", count: 1025)] {
            #expect(try await guess(wrong, at: known) == false)
        }
    }

    @Test func `an account has ten wrong guesses, then one each half minute`() async throws {
        let known = try await gate.hash("sésame", salt: [1])
        for _ in 0..<10 { #expect(try await guess("x", at: known) == false) }
        #expect(try await guess("x", at: known) == nil)
        #expect(try await guess("sésame", at: known, from: Self.elsewhere) == nil)
        #expect(try await guess("x", at: known, of: "ben") == false)
        clock.advance(by: 29_999)
        await #expect(throws: PasswordRefusal(.tooManyGuesses, retryAfter: 1)) {
            try await gate.admits("x", known: known, account: "ann", from: nil)
        }
        clock.advance(by: 1)
        #expect(try await guess("x", at: known) == false)
        #expect(try await guess("x", at: known) == nil)
        clock.advance(by: .hours(1))
        for _ in 0..<10 { #expect(try await guess("x", at: known) == false) }
        #expect(try await guess("x", at: known) == nil)
    }

    @Test func `correct passwords don't count towards the limit`() async throws {
        let known = try await gate.hash("sésame", salt: [1])
        for _ in 0..<30 { #expect(try await guess("sésame", at: known) == true) }
        for _ in 0..<9 { #expect(try await guess("x", at: known) == false) }
        #expect(try await guess("sésame", at: known) == true)
    }

    @Test func `wrong guesses elsewhere don't lock out a known address`() async throws {
        let known = try await gate.hash("sésame", salt: [1])
        #expect(try await guess("sésame", at: known) == true)
        for _ in 0..<10 { #expect(try await guess("x", at: known, from: Self.elsewhere) == false) }
        #expect(try await guess("x", at: known, from: Self.elsewhere) == nil)
        #expect(try await guess("sésame", at: known) == true)
        // It has a limit of its own.
        for _ in 0..<10 { #expect(try await guess("x", at: known) == false) }
        #expect(try await guess("sésame", at: known) == nil)
    }

    @Test func `an address has fifty wrong guesses over all accounts, loopback any number`() async throws {
        for number in 0..<50 { #expect(try await guess("x", at: nil, of: "\(number)") == false) }
        #expect(try await guess("x", at: nil, of: "another") == nil)
        #expect(try await guess("x", at: nil, of: "another", from: Self.elsewhere) == false)
        clock.advance(by: .seconds(10))
        #expect(try await guess("x", at: nil, of: "another") == false)
        #expect(try await guess("x", at: nil, of: "another") == nil)
        for number in 0..<100 { #expect(try await guess("x", at: nil, of: "l\(number)", from: Self.loopback) == false) }
    }

    @Test func `concurrent guesses count towards the limit`() async throws {
        let known = try await gate.hash("sésame", salt: [1])
        let looked = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<30 { group.addTask { try await guess("x", at: known) == false } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(looked == 10)
    }

    /// A gate whose one worker is busy until the test releases it.
    private func withBusyGate(
        capacity: Int, _ test: (PasswordGate, PasswordHasher, DispatchSemaphore) async throws -> Void
    ) async throws {
        let worker = DispatchSemaphore(value: 0)
        let hasher = PasswordHasher(workers: 1, capacity: capacity)
        let gate = PasswordGate(cost: PasswordHashTests.cheap, hasher: hasher, clock: { [clock] in clock.now })
        let busy = Task {
            try await hasher.run(for: "", isSignUp: false) {
                worker.wait()
                return []
            }
        }
        while hasher.load.running < 1 { await Task.yield() }
        do {
            try await test(gate, hasher, worker)
        } catch {
            worker.signal()
            throw error
        }
        worker.signal()
        _ = try await busy.value
    }

    /// An answer takes the time of a hash: there is one for known and unknown accounts.
    @Test(.timeLimit(.minutes(5)))
    func `an unknown account is refused as slowly and often as a known one`() async throws {
        try await withBusyGate(capacity: 2) { gate, hasher, worker in
            let known = PasswordHash(
                cost: PasswordHashTests.cheap, salt: [1], hash: Array(repeating: 1, count: PasswordHash.hashSize))
            let tasks = [nil, known].map { known in
                Task { try await gate.admits("x", known: known, account: "ann", from: nil) }
            }
            // Both wait to be hashed.
            while hasher.load.waiting < 2 { await Task.yield() }
            worker.signal()
            for task in tasks {
                let isRight = try await task.value
                #expect(!isRight)
            }
            for _ in 0..<8 {
                let isRight = try await gate.admits("x", known: nil, account: "ann", from: nil)
                #expect(!isRight)
            }
            await #expect(throws: PasswordRefusal(.tooManyGuesses, retryAfter: 30)) {
                try await gate.admits("x", known: nil, account: "ann", from: nil)
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a refused check doesn't count as a guess`() async throws {
        try await withBusyGate(capacity: 0) { gate, _, _ in
            for _ in 0..<50 {
                await #expect(throws: PasswordRefusal(.overloaded, retryAfter: 3)) {
                    try await gate.admits("x", known: nil, account: "ann", from: Self.here)
                }
            }
        }
    }
}
