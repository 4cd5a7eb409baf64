import Perennial

/// Checks passwords within limits on concurrent hashing and on wrong guesses.
///
/// There is one in a process, for all kinds of sign-ins, because it protects the one machine.
package final class PasswordGate: Sendable {
    private let cost: PasswordHash.Cost
    private let hasher: PasswordHasher
    private let limiter: GuessLimiter
    /// The hash for an account that doesn't exist or has no password: checking takes the same time.
    private let decoy: PasswordHash

    /// - Parameters:
    ///   - cost: The cost of new hashes.
    ///   - clock: The wall clock, by which guesses are counted.
    package init(
        cost: PasswordHash.Cost = .standard, hasher: PasswordHasher = PasswordHasher(),
        clock: @escaping @Sendable () -> Instant
    ) {
        self.cost = cost
        self.hasher = hasher
        limiter = GuessLimiter(clock: clock)
        decoy = PasswordHash(
            cost: cost, salt: Array(repeating: 0, count: PasswordHash.saltSize),
            hash: Array(repeating: 0, count: PasswordHash.hashSize))
    }

    /// The number of waiting and running hashes.
    package var load: PasswordHasher.Load { hasher.load }

    /// Hashes a new password.
    ///
    /// - Throws: ``PasswordError``, ``PasswordRefusal`` `.overloaded`, `CancellationError`.
    package func hash(
        _ password: String, salt: [UInt8], from address: ClientAddress? = nil
    ) async throws -> PasswordHash {
        try PasswordHash.check(password)
        let cost = cost
        let hash = try await hasher.run(for: address?.network ?? "", isSignUp: true) {
            try PasswordHash.derive(password, salt: salt, cost: cost)
        }
        return PasswordHash(cost: cost, salt: salt, hash: hash)
    }

    /// Uses a one-time code. A wrong one counts like a wrong password from the same address.
    ///
    /// - Parameter use: Returns `nil` for a wrong code.
    /// - Throws: ``PasswordRefusal`` `.tooManyGuesses`, and the errors of `use`.
    package func usesCode<Value: Sendable>(
        from address: ClientAddress?, _ use: () async throws -> Value?
    ) async throws -> Value? {
        let guess = try limiter.begin(nil, from: address)
        do {
            let value = try await use()
            if value != nil { limiter.cancel(guess, isCorrect: true) }
            return value
        } catch {
            limiter.cancel(guess, isCorrect: false)
            throw error
        }
    }

    /// Returns true if the password is the account's.
    ///
    /// - Parameters:
    ///   - known: The account's hash; `nil` for an account that has none or doesn't exist, which takes the same time.
    ///   - account: The name of the account, unique among all kinds of sign-ins.
    ///   - address: The address of the client; `nil` if unknown.
    /// - Throws: ``PasswordRefusal``, `CancellationError`.
    package func admits(
        _ password: String, known: PasswordHash?, account: String, from address: ClientAddress?
    ) async throws -> Bool {
        guard (try? PasswordHash.check(password)) != nil else { return false }
        let guess = try limiter.begin(account, from: address)
        let expected = known ?? decoy
        let derived: [UInt8]
        do {
            derived = try await hasher.run(for: address?.network ?? "", isSignUp: false) {
                try expected.derive(password)
            }
        } catch {
            limiter.cancel(guess, isCorrect: false)
            throw error
        }
        let isCorrect = expected.isEqual(to: derived) && known != nil
        if isCorrect { limiter.cancel(guess, isCorrect: true) }
        return isCorrect
    }
}
