import Perennial

/// Judges passwords, within bounds: how much is hashed at once, and how often may be guessed.
///
/// One for the process, whatever signs in to: the machine it protects is one.
package final class PasswordGate: Sendable {
    private let cost: PasswordHash.Cost
    private let hasher: PasswordHasher
    private let limiter: GuessLimiter
    /// What is hashed for an account that isn't there or has no password: the answer takes as long as any other.
    private let decoy: PasswordHash

    /// - Parameters:
    ///   - cost: Of passwords that are set from now on.
    ///   - clock: By which guesses are counted: the world's, whatever time the environments have.
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

    /// What is waiting or being hashed.
    package var load: PasswordHasher.Load { hasher.load }

    /// The hash of a password that is set.
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

    /// Whether a password opens an account.
    ///
    /// - Parameters:
    ///   - known: The account's; `nil` for an account that has none or isn't there, which takes the same time.
    ///   - account: What is guessed at; of all accounts that passwords open, one has this name.
    ///   - address: Where the guess comes from; `nil` where that isn't known.
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
            limiter.takeBack(guess, isRight: false)
            throw error
        }
        let isRight = expected.isEqual(to: derived) && known != nil
        if isRight { limiter.takeBack(guess, isRight: true) }
        return isRight
    }
}
