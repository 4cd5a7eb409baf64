import AppStoreFormats
import Hummingbird
import Perennial
import PerennialStorage
import PerennialStore
import Synchronization

/// Facts about a request beyond its path and status, for watchers and the log. Kept only while one of them wants them.
final class RequestNotes: Sendable {
    @TaskLocal static var current: RequestNotes?

    /// The reason for an answer that refuses a request.
    struct Refusal: Sendable {
        var code: String
        /// The reason in plain words.
        var reason: String
    }

    private let notes = Mutex<(refusal: Refusal?, bundleID: App.BundleID?)>((nil, nil))

    var refusal: Refusal? { notes.withLock { $0.refusal } }
    /// The app of the sender's credentials.
    var bundleID: App.BundleID? { notes.withLock { $0.bundleID } }

    func refuse(_ refusal: Refusal) { notes.withLock { $0.refusal = refusal } }

    func note(_ caller: Caller) {
        switch caller {
        case .customer(let caller): notes.withLock { $0.bundleID = caller.customer.bundleID }
        case .seller(let caller): notes.withLock { $0.bundleID = caller.key.bundleID }
        default: break
        }
    }
}

/// The reason for a page that refuses a request, for watchers and the log.
package enum RefusedPage {
    /// - Parameter reason: In English.
    package static func note(status: Int, reason: @autoclosure () -> String) {
        guard let notes = RequestNotes.current else { return }
        notes.refuse(RequestNotes.Refusal(code: String(status), reason: reason()))
    }
}

extension RequestNotes.Refusal {
    /// Describes an error of any protocol; `nil` for a client that has gone.
    init?(_ error: any Error) {
        switch error {
        case let error as ConnectFailure:
            let first = error.errors.first
            self.init(
                code: first?.code ?? String(error.status.code), reason: first?.detail ?? error.status.reasonPhrase)
        case let error as ServerAPIError: self.init(code: String(error.code.rawValue), reason: error.message)
        case let error as ReportError: self.init(code: "\(error.code)", reason: error.detail)
        case is CancellationError: return nil
        default:
            guard let error = APIError(translating: error) else {
                if let error = error as? any HTTPResponseError {
                    self.init(code: String(error.status.code), reason: error.status.reasonPhrase)
                } else {
                    self.init(code: "unavailable", reason: "an unforeseen error, which is logged")
                }
                return
            }
            self.init(code: error.code, reason: error.message)
        }
    }

    /// Describes the answer of verifyReceipt, whose status is in its body; `nil` for a receipt that is right.
    init?(verifyReceipt answer: [UInt8]) {
        // A refusal is short, and its status the only number of so many digits.
        guard answer.count < 256, let status = String(decoding: answer, as: UTF8.self).firstMatch(of: /21[0-9]{3}/),
            let number = Int(status.output)
        else { return nil }
        let reason =
            switch number {
            case 21000: "the request isn't a POST"
            case 21002: "the receipt or the request can't be read: send the receipt in base64, unchanged"
            case 21003: "the receipt's signature isn't this store's: was it bought in another store?"
            case 21004: "the shared secret is wrong: see perennial shared-secret"
            case 21006: "the subscription has expired"
            case 21007: "a receipt of Sandbox was sent to Production: send it to /sandbox/verifyReceipt"
            case 21008: "a receipt of Production was sent to Sandbox: send it to /verifyReceipt"
            case 21010: "the account has no such purchases any more"
            default: "the store can't answer now: send the same request again"
            }
        self.init(code: String(number), reason: reason)
    }
}
