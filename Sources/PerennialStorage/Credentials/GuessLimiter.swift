import Perennial
import Synchronization

/// The origin of a request, as far as limits depend on it.
package struct ClientAddress: Sendable, Hashable {
    /// An IPv4 address, or the first 64 bits of an IPv6 address, which a provider gives to one customer.
    package let network: String
    /// True for programs on this machine, and for all clients of a proxy on it.
    package let isLoopback: Bool

    package init(network: String, isLoopback: Bool) {
        self.network = network
        self.isLoopback = isLoopback
    }
}

/// Limits wrong passwords for an account and from an address.
///
/// Each limit is a token bucket. An address that has signed in to an account before has its own bucket for it, so that strangers
/// who guess don't lock the customer out. Loopback addresses have no limit of their own: behind a proxy all clients share them.
/// The counts are lost with the process.
final class GuessLimiter: Sendable {
    struct Limit: Sendable {
        /// Guesses that are possible at once.
        let burst: Int64
        /// Milliseconds until one more is possible.
        let refill: Int64
    }

    static let account = Limit(burst: 10, refill: .seconds(30))
    static let address = Limit(burst: 50, refill: .seconds(10))
    /// Buckets that are kept; beyond that, the emptier half is dropped.
    private static let capacity = 65_536

    fileprivate enum Subject: Hashable {
        case account(String)
        /// An account, from an address that has signed in to it.
        case known(String, network: String)
        case address(String)
    }

    /// The used part of a bucket, in milliseconds of ``Limit/refill``, at a time.
    fileprivate struct Bucket {
        var used: Int64
        var at: Instant

        func used(at now: Instant) -> Int64 { max(0, used - max(0, now - at)) }
    }

    fileprivate struct State {
        var buckets: [Subject: Bucket] = [:]
        /// Addresses that have signed in to an account, by account.
        var known: [String: [String]] = [:]
    }

    /// An admitted guess. It counts until it turns out right.
    struct Guess: Sendable {
        fileprivate let account: String?
        fileprivate let address: ClientAddress?
        fileprivate let subjects: [(subject: Subject, limit: Limit)]
    }

    /// Addresses that are kept for an account.
    private static let knownPerAccount = 8

    private let clock: @Sendable () -> Instant
    private let state = Mutex(State())

    init(clock: @escaping @Sendable () -> Instant) {
        self.clock = clock
    }

    /// Counts a guess before it is checked, so that concurrent guesses count too.
    ///
    /// - Parameter account: `nil` for a code that belongs to no account; it counts for the address only.
    /// - Throws: ``PasswordRefusal`` `.tooManyGuesses`; then it isn't counted.
    func begin(_ account: String?, from address: ClientAddress?) throws -> Guess {
        let now = clock()
        return try state.withLock { state in
            let subjects = Self.subjects(account, address, isKnown: state.isKnown(account, address))
            var wait: Int64 = 0
            for (subject, limit) in subjects {
                let used = state.buckets[subject]?.used(at: now) ?? 0
                wait = max(wait, used + limit.refill - limit.burst * limit.refill)
            }
            guard wait <= 0 else { throw PasswordRefusal(.tooManyGuesses, retryAfter: (wait + 999) / 1000) }
            for (subject, limit) in subjects { state.add(limit.refill, to: subject, at: now) }
            if state.buckets.count > Self.capacity { state.evict(halfOf: Self.capacity, at: now) }
            return Guess(account: account, address: address, subjects: subjects)
        }
    }

    /// Uncounts a guess that was correct or wasn't checked.
    func cancel(_ guess: Guess, isCorrect: Bool) {
        let now = clock()
        state.withLock { state in
            for (subject, limit) in guess.subjects { state.add(-limit.refill, to: subject, at: now) }
            guard isCorrect, let account = guess.account, let network = guess.address?.network else { return }
            let others = state.known[account, default: []].filter { $0 != network }
            state.known[account] = [network] + others.prefix(Self.knownPerAccount - 1)
            if state.known.count > Self.capacity, let any = state.known.keys.first { state.known[any] = nil }
        }
    }

    private static func subjects(
        _ account: String?, _ address: ClientAddress?, isKnown: Bool
    ) -> [(subject: Subject, limit: Limit)] {
        if isKnown, let account, let address { return [(.known(account, network: address.network), Self.account)] }
        var subjects: [(subject: Subject, limit: Limit)] = []
        if let account { subjects.append((.account(account), Self.account)) }
        if let address, !address.isLoopback { subjects.append((.address(address.network), Self.address)) }
        return subjects
    }
}

extension GuessLimiter.State {
    fileprivate func isKnown(_ account: String?, _ address: ClientAddress?) -> Bool {
        guard let account, let network = address?.network else { return false }
        return known[account]?.contains(network) ?? false
    }

    fileprivate mutating func add(_ amount: Int64, to subject: GuessLimiter.Subject, at now: Instant) {
        let used = (buckets[subject]?.used(at: now) ?? 0) + amount
        buckets[subject] = used > 0 ? GuessLimiter.Bucket(used: used, at: now) : nil
    }

    fileprivate mutating func evict(halfOf count: Int, at now: Instant) {
        let most = buckets.sorted { $0.value.used(at: now) > $1.value.used(at: now) }.prefix(count / 2)
        buckets = Dictionary(uniqueKeysWithValues: most.map { ($0.key, $0.value) })
    }
}
