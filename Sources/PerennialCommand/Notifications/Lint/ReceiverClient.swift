import AppStoreFormats
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import OutboundHTTP
import PerennialHTTP
import PerennialSimulation
import PerennialStore

/// A seller's server over HTTP.
struct ReceiverClient: ReceiverUnderTest {
    private static let maximumAnswerBytes = 65_536

    let client: HTTPClient
    let url: String
    let statusURL: String?
    let receiptURL: String
    let timeout: Int64

    func post(_ body: [UInt8]) async -> String? {
        let outcome = await NotificationClient(client: client).post(body, to: url, timeout: timeout)
        return outcome.result == .success ? nil : Self.words(outcome)
    }

    func register(_ registration: ReceiverRegistration) async -> String? {
        guard let body = try? JSONEncoder().encode(registration) else { return "the receipt can't be written" }
        let outcome = await NotificationClient(client: client).post(Array(body), to: receiptURL, timeout: timeout)
        return outcome.result == .success ? nil : Self.words(outcome)
    }

    private static func words(_ outcome: NotificationOutcome) -> String {
        outcome.result.rawValue + (outcome.httpStatus.map { " (\($0))" } ?? "")
    }

    func status(of originalTransactionID: String) async throws -> ReceiverStatus {
        let target = (statusURL ?? "").replacing(NotificationsCommand.Lint.placeholder, with: originalTransactionID)
        let bytes: ByteBuffer
        do {
            bytes = try await client.exchange(
                HTTPClientRequest(url: target), deadline: .now() + .milliseconds(timeout)
            ) { response in
                guard response.status == .ok else { throw CommandError("\(target) answers \(response.status.code)") }
                return try await response.body.collect(upTo: Self.maximumAnswerBytes)
            }
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError("\(target) does not answer")
        }
        guard let answer = try? JSONDecoder().decode(ReceiverAnswer.self, from: Data(bytes.readableBytesView)) else {
            throw CommandError("\(target) answers no JSON object with \(ReceiverAnswer.keys)")
        }
        guard let status = answer.status else { throw CommandError("\(target) says none of \(ReceiverAnswer.keys)") }
        return status
    }
}
