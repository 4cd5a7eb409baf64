import CryptoExtras
import Dispatch
import Foundation
import Synchronization
import X509

/// A value that is known, or that is made at first use while other callers wait.
final class Deferred<Value: Sendable>: Sendable {
    private enum State {
        case unmade(@Sendable () throws -> Value)
        case made(Value)
    }

    private let state: Mutex<State>

    init(_ value: Value) { state = Mutex(.made(value)) }

    init(making make: @escaping @Sendable () throws -> Value) { state = Mutex(.unmade(make)) }

    var isMade: Bool {
        state.withLock {
            if case .made = $0 { true } else { false }
        }
    }

    var value: Value {
        state.withLock { state in
            switch state {
            case .made(let value): return value
            case .unmade(let make):
                guard let value = try? make() else {
                    // RSA keys and certificates of fixed names fail in a process without memory or randomness only.
                    preconditionFailure("No keys can be made for receipts.")
                }
                state = .made(value)
                return value
            }
        }
    }
}

/// The root of receipts, whose key may still be generated. Its dates are known at once.
struct ReceiptRoot: Sendable {
    typealias Identity = SigningIdentity<_RSA.Signing.PrivateKey>

    let validity: CertificateValidity
    private let deferred: Deferred<Identity>

    init(_ identity: Identity) {
        let certificate = identity.certificate
        validity = CertificateValidity(notBefore: certificate.notValidBefore, notAfter: certificate.notValidAfter)
        deferred = Deferred(identity)
    }

    init(validity: CertificateValidity, making make: @escaping @Sendable () throws -> Identity) {
        self.validity = validity
        deferred = Deferred(making: make)
    }

    /// The identity; waits for its key.
    var identity: Identity { deferred.value }
}

/// The intermediate and the leaf of receipts, whose keys may still be generated.
///
/// A search for an RSA key takes a tenth of a second. A store in memory starts for each test run, and serves requests
/// before it has all keys.
struct ReceiptIdentities: Sendable {
    typealias Identity = SigningIdentity<_RSA.Signing.PrivateKey>
    typealias Pair = (intermediate: Identity, leaf: Identity)

    private let deferred: Deferred<Pair>

    init(intermediate: Identity, leaf: Identity) { deferred = Deferred((intermediate, leaf)) }

    init(making make: @escaping @Sendable () throws -> Pair) { deferred = Deferred(making: make) }

    var intermediate: Identity { pair.intermediate }
    var leaf: Identity { pair.leaf }

    /// Both identities; waits for their keys.
    var pair: Pair { deferred.value }

    /// Returns identities derived from these: at once if these are generated, otherwise at first use.
    func map(
        _ change: @escaping @Sendable (_ intermediate: Identity, _ leaf: Identity) throws -> (Identity, Identity)
    ) throws -> ReceiptIdentities {
        guard deferred.isMade else {
            return ReceiptIdentities {
                let (intermediate, leaf) = pair
                return try change(intermediate, leaf)
            }
        }
        let (intermediate, leaf) = try change(intermediate, leaf)
        return ReceiptIdentities(intermediate: intermediate, leaf: leaf)
    }
}

/// RSA keys generated concurrently on threads of their own, returned in the order of completion.
///
/// The threads aren't of the shared pool, which has one for each processor: a search would wait there for a start that
/// waits for the search.
final class ConcurrentRSAKeys: Sendable {
    private let done = Mutex<[Result<_RSA.Signing.PrivateKey, any Error>]>([])
    private let count = DispatchSemaphore(value: 0)

    /// Starts the generation of a number of keys on as many threads or fewer.
    init(_ keys: Int, threads: Int) {
        let left = Remaining(keys)
        for _ in 0..<min(threads, keys) {
            Thread.detachNewThread { [self] in
                while left.take() {
                    let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
                    done.withLock { $0.append(key) }
                    count.signal()
                }
            }
        }
    }

    /// The number of keys that no thread has begun.
    private final class Remaining: Sendable {
        private let count: Mutex<Int>

        init(_ count: Int) { self.count = Mutex(count) }

        /// Returns false if none is left.
        func take() -> Bool {
            count.withLock { count in
                count -= 1
                return count >= 0
            }
        }
    }

    /// Takes the next key, and waits for it. No more may be taken than are made.
    /// - Throws: An error of the cryptographic library.
    func next() throws -> _RSA.Signing.PrivateKey {
        count.wait()
        return try done.withLock { $0.removeFirst() }.get()
    }
}
