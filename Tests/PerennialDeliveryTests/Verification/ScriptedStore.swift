import Foundation
import PerennialDelivery
import Synchronization

/// A scripted store that records requests.
final class ScriptedStore: VerifyReceiptEndpoint {
    enum Line: Sendable {
        case answer(String, http: Int = 200, retryAfter: Int? = nil)
        case noAnswer

        static func status(_ status: Int, retryable: Bool? = nil) -> Line {
            .answer(#"{"status":\#(status)\#(retryable.map { #","is_retryable":\#($0)"# } ?? "")}"#)
        }
    }

    struct Unreachable: Error {}

    private let state: Mutex<(script: [Line], asked: [String], bodies: [[UInt8]])>

    init(_ script: [Line]) {
        state = Mutex((script, [], []))
    }

    /// URLs of the requests, in order.
    var asked: [String] { state.withLock { $0.asked } }
    var bodies: [String] { state.withLock { $0.bodies.map { String(decoding: $0, as: UTF8.self) } } }

    /// Makes a store. The last line of the script repeats.
    func post(_ body: [UInt8], to url: String) async throws -> VerifyReceiptAnswer {
        let line = state.withLock { state in
            state.asked.append(url)
            state.bodies.append(body)
            return state.script.count > 1 ? state.script.removeFirst() : state.script[0]
        }
        guard case .answer(let text, let status, let retryAfter) = line else { throw Unreachable() }
        return VerifyReceiptAnswer(httpStatus: status, body: Array(text.utf8), retryAfter: retryAfter)
    }
}

/// A clock that only waits advance, with a record of the waits.
final class RecordedPacing: Sendable {
    private let state = Mutex<[Duration]>([])
    let fraction: Double

    init(fraction: Double = 1) {
        self.fraction = fraction
    }

    var waits: [Duration] { state.withLock { $0 } }

    var dependencies: RetryDependencies {
        RetryDependencies(
            sleep: { duration in self.state.withLock { $0.append(duration) } },
            elapsed: { self.state.withLock { $0.reduce(.zero, +) } },
            fraction: { self.fraction })
    }
}
